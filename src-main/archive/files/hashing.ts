/** Starts hashing and copying in threads. Both functions reject with `DiskFault`, or with the signal's reason when stopped. */
import type { World } from '../../world/world.ts'
import type { CopyInput, CopyOutcome } from './copyFile.thread.ts'
import type { Hashed } from './hashChunks.ts'
import type { HashInput } from './hashFile.thread.ts'

export interface ThreadOptions {
  signal: AbortSignal
  /** Called from time to time with the bytes done so far. */
  onReport?: (bytes: number) => void
}

/** Computes the SHA-256 of a file, or its HMAC-SHA-256 where a salt is given. */
export function hashFile(world: World, input: HashInput, options: ThreadOptions): Promise<Hashed> {
  return world.threads.run<HashInput, Hashed, number>(new URL('./hashFile.thread.ts', import.meta.url), input, options)
}

/** Copies a file into a replica's folder, as described in `copyFile.thread.ts`. */
export function copyFile(world: World, input: CopyInput, options: ThreadOptions): Promise<CopyOutcome> {
  return world.threads.run<CopyInput, CopyOutcome, number>(
    new URL('./copyFile.thread.ts', import.meta.url),
    input,
    options,
  )
}
