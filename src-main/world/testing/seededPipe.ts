/** One direction of a connection of the seeded network: bytes arrive in order, late, cut into pieces that have nothing to do
 *  with how they were written; a reader that does not read stops the writer. */
import type { SeededChance } from './seededChance.ts'
import type { SeededTime } from './seededTime.ts'
import { NetworkFault } from '../world.ts'

export interface Pipe {
  write(bytes: Uint8Array): Promise<void>
  read(signal: AbortSignal | undefined): Promise<Uint8Array | undefined>
  /** Nothing has arrived unread, and it is neither ended nor broken. */
  quiet(): boolean
  /** The writer has closed: what was written still arrives, then the end. */
  end(): void
  /** The reader has closed: a read ends, a write breaks. */
  leave(): void
  /** The connection is gone: what has arrived can still be read, then comes the fault. */
  break(fault: NetworkFault): void
  /** The connection goes once everything written has arrived. */
  breakAfterwards(fault: NetworkFault): void
}

/** Bytes under way and unread before a writer waits: what a small machine's kernel takes. */
const windowBytes = 64 * 1024
/** The largest piece: what an Ethernet segment holds. */
const pieceBytesMax = 1460
const latencyMsMax = 20

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
  /** In order: never before what was sent earlier. */
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
    if (state === 'left') return new NetworkFault('reset', 'the other end has closed the connection')
    return state === 'open' ? undefined : new NetworkFault('aborted', 'the connection was closed here')
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
        if (signal?.aborted) throw new NetworkFault('aborted', 'stopped while reading')
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
