/** One direction of a connection of the seeded network: bytes arrive in order, with delay, in pieces unrelated to the writes;
 *  a reader that does not read stops the writer. */
import type { SeededChance } from './seededChance.ts'
import type { SeededTime } from './seededTime.ts'
import { NetworkFault } from '../world.ts'

/** One direction of a connection. */
export interface Pipe {
  write(bytes: Uint8Array): Promise<void>
  read(signal: AbortSignal | undefined): Promise<Uint8Array | undefined>
  /** True if all received bytes were read, and the pipe is neither ended nor broken. */
  quiet(): boolean
  /** Closes the pipe from the writer's side: written bytes still arrive, then the end. */
  end(): void
  /** Closes the pipe from the reader's side: a read ends, a write fails. */
  leave(): void
  /** Breaks the connection: received bytes can still be read, then reads reject with the fault. */
  break(fault: NetworkFault): void
  /** Breaks the connection once everything written has arrived. */
  breakAfterwards(fault: NetworkFault): void
}

/** Bytes in transit and unread before a writer waits: the buffer of a small machine's kernel. */
const windowBytes = 64 * 1024
/** The largest piece: the payload of an Ethernet segment. */
const pieceBytesMax = 1460
const latencyMsMax = 20

/** Returns an open pipe. */
export function pipe(time: SeededTime, chance: SeededChance): Pipe {
  const arrived: Uint8Array[] = []
  let pendingBytes = 0
  let arrivesMs = 0
  let state: 'open' | 'ending' | 'ended' | 'left' = 'open'
  let fault: NetworkFault | undefined
  let wakeReader = () => {}
  let waitingWriters: (() => void)[] = []

  function wakeWriters(): void {
    const woken = waitingWriters
    waitingWriters = []
    for (const wake of woken) wake()
  }
  function wakeAll(): void {
    wakeReader()
    wakeWriters()
  }
  /** Delivers in order: never before data that was sent earlier. */
  function arrive(act: () => void): void {
    arrivesMs = Math.max(arrivesMs, time.nowMs() + chance.below(latencyMsMax * 1000) / 1000)
    time.after(arrivesMs - time.nowMs(), () => {
      if (fault || state === 'left') return
      act()
      wakeReader()
    })
  }
  function breakNow(reason: NetworkFault): void {
    fault ??= reason
    wakeAll()
  }
  function broken(): NetworkFault | undefined {
    if (fault) return fault
    if (state === 'left') return new NetworkFault('reset')
    return state === 'open' ? undefined : new NetworkFault('aborted')
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const reason = broken()
        if (reason) throw reason
        if (pendingBytes >= windowBytes) {
          await new Promise<void>((resolve) => waitingWriters.push(resolve))
          continue
        }
        const piece = bytes.slice(at, at + 1 + chance.below(pieceBytesMax))
        at += piece.length
        pendingBytes += piece.length
        arrive(() => void arrived.push(piece))
      }
      const reason = broken()
      if (reason) throw reason
    },
    async read(signal) {
      for (;;) {
        if (state === 'left') return undefined
        if (signal?.aborted) throw new NetworkFault('aborted')
        const bytes = arrived.shift()
        if (bytes) {
          pendingBytes -= bytes.length
          wakeWriters()
          return bytes
        }
        if (fault) throw fault
        if (state === 'ended') return undefined
        await new Promise<void>((resolve) => {
          wakeReader = resolve
          signal?.addEventListener('abort', wakeReader, { once: true })
        })
        signal?.removeEventListener('abort', wakeReader)
      }
    },
    quiet: () => arrived.length === 0 && !fault && state === 'open',
    end() {
      if (state !== 'open') return
      state = 'ending'
      arrive(() => {
        state = 'ended'
      })
    },
    leave() {
      state = 'left'
      wakeAll()
    },
    break: breakNow,
    breakAfterwards: (reason) => arrive(() => breakNow(reason)),
  }
}
