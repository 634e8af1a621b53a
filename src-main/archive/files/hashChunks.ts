/** Hashes bytes that arrive in chunks, at a limited rate. */
import { createHash, createHmac } from 'node:crypto'
import { stopwatch } from '../../world/stopwatch.ts'
import type { Clock } from '../../world/world.ts'
import { nowAndThen, pauseMs } from './readThrough.ts'

export interface Hashed {
  sha256: string
  bytes: number
}

/** How chunks are read. */
export interface ChunkOptions {
  /** Maximum rate in bytes per second; 0: unlimited. */
  bytesPerSecondMax: number
  signal: AbortSignal
  /** Called from time to time with the bytes so far. */
  onReport(bytes: number): void
}

/** Returns the SHA-256 of the bytes, or with a salt their HMAC-SHA-256 (RFC 2104). Rejects with the reason of the signal. */
export async function hashChunks(
  clock: Clock,
  chunks: AsyncIterable<Uint8Array>,
  { salt, ...options }: ChunkOptions & { salt?: string | undefined },
): Promise<Hashed> {
  const running = salt === undefined ? createHash('sha256') : createHmac('sha256', salt)
  let bytes = 0
  for await (const chunk of hashing(clock, chunks, running, options)) bytes += chunk.length
  return { sha256: running.digest('hex'), bytes }
}

/** Passes the chunks on after `running` has taken them. */
export async function* hashing(
  clock: Clock,
  chunks: AsyncIterable<Uint8Array>,
  running: { update(chunk: Uint8Array): unknown },
  { bytesPerSecondMax, signal, onReport }: ChunkOptions,
): AsyncGenerator<Uint8Array> {
  const elapsedMs = stopwatch(clock)
  const progress = nowAndThen(clock, onReport)
  let bytes = 0
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    running.update(chunk)
    bytes += chunk.length
    progress(bytes)
    const waitMs = pauseMs(bytes, elapsedMs(), bytesPerSecondMax)
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    yield chunk
  }
}
