/** Gives documents their priority, a batch at a time. The counter of each bin is read once before the batch and written once
 *  after it, in the transaction that adds the documents. Nothing is kept between batches, so a batch that is rolled back was
 *  never counted. */
import type { BinLimits } from '../../contract/shapes/throttle.ts'
import { floorOf, priorityOf, scaleOf } from './priority.ts'

/** The counters where they outlive the process. */
export interface BinCounters {
  get(bin: string): number | undefined
  set(bin: string, value: number): void
}

export interface NumberingSetting {
  counters: BinCounters
  /** The depth that the queue has reached: a new bin counts from here. */
  depthMin: number
  limitsOf: (bin: string) => Pick<BinLimits, 'fetchesPerMs'>
}

export interface Numbering {
  /** The next place in these bins, after everything they have. It stays free until it is taken. */
  peek(bins: readonly string[]): number
  take(bins: readonly string[]): void
  /** Both at once. */
  next(bins: readonly string[]): number
  /** The front of the queue as it stands; it counts in no bin. For what everything else of its bin waits for. */
  front(): number
  /** A place this many positions after the current front of the queue; it counts in no bin. */
  aside(bins: readonly string[], places: number): number
  save(): void
}

interface Entry {
  scale: number
  value: number
  /** Nothing is written down of a bin that was only looked at. */
  isTaken: boolean
}

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
