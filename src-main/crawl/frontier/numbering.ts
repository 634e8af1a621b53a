/** Assigns priorities to documents, a batch at a time. The counter of each bin is read once before the batch and written once
 *  after it, in the transaction that adds the documents. Nothing is kept between batches, so a batch that is rolled back was
 *  never counted. */
import type { BinLimits } from '../../contract/shapes/throttle.ts'
import { floorOf, priorityOf, scaleOf } from './priority.ts'

/** The stored counters of the bins. */
export interface BinCounters {
  get(bin: string): number | undefined
  set(bin: string, value: number): void
}

/** Parameters of the numbering. */
export interface NumberingSetting {
  counters: BinCounters
  /** The depth that the queue has reached: a new bin counts from here. */
  depthMin: number
  limitsOf: (bin: string) => Pick<BinLimits, 'fetchesPerMs'>
}

/** The numbering of one batch. */
export interface Numbering {
  /** Returns the next position in these bins, after all their documents. It stays free until it is taken. */
  peek(bins: readonly string[]): number
  /** Takes the next position in these bins. */
  take(bins: readonly string[]): void
  /** Returns the next position and takes it. */
  next(bins: readonly string[]): number
  /** Returns the current front of the queue, for documents that the rest of their bin waits for. It counts in no bin. */
  front(): number
  /** Returns a position this many places after the current front of the queue; it counts in no bin. */
  aside(bins: readonly string[], places: number): number
  /** Writes the counters of the bins in which positions were taken. */
  save(): void
}

interface Entry {
  scale: number
  value: number
  /** False: the bin was only read, and its counter is not written. */
  isTaken: boolean
}

/** Begins the numbering of one batch. */
export function numberingOf({ counters, depthMin, limitsOf }: NumberingSetting): Numbering {
  const batch = new Map<string, Entry>()

  function entryOf(bin: string): Entry {
    const known = batch.get(bin)
    if (known) return known
    const scale = scaleOf(limitsOf(bin).fetchesPerMs)
    const entry = { scale, value: Math.max(counters.get(bin) ?? 0, floorOf(depthMin, scale)), isTaken: false }
    batch.set(bin, entry)
    return entry
  }

  const peek = (bins: readonly string[]) =>
    priorityOf(
      bins.map((bin) => {
        const { value, scale } = entryOf(bin)
        return { number: value, scale }
      }),
    )
  const take = (bins: readonly string[]) => {
    for (const bin of bins) {
      const entry = entryOf(bin)
      entry.value += 1
      entry.isTaken = true
    }
  }

  return {
    peek,
    take,
    next(bins) {
      const place = peek(bins)
      take(bins)
      return place
    },
    front: () => priorityOf([{ number: depthMin, scale: 1 }]),
    aside: (bins, places) =>
      priorityOf(
        bins.map((bin) => {
          const { scale } = entryOf(bin)
          return { number: floorOf(depthMin, scale) + places, scale }
        }),
      ),
    save() {
      for (const [bin, { value, isTaken }] of batch) if (isTaken) counters.set(bin, value)
    },
  }
}
