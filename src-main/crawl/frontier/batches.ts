/** Batches of documents whose positions are counted together: the counters of their bins are read once and written once. */
import type { Numbering } from './numbering.ts'

/** Documents added in one transaction. */
export interface Batch {
  nowMs: number
  numbering: Numbering
}

/** The batches of one frontier. */
export interface Batches {
  /** Counts the positions of everything that `act` adds together. A call inside of another belongs to it. */
  together<T>(act: () => T): T
  /** Begins a batch. Its numbering is saved by the enclosing `together`; without one, positions that are taken are lost. */
  begin(nowMs: number): Batch
}

/** Opens the batches. `newNumbering` reads the counters. */
export function batchesOf(newNumbering: () => Numbering): Batches {
  /** Set while documents are added together. */
  let common: Numbering | undefined
  return {
    together(act) {
      if (common) return act()
      common = newNumbering()
      try {
        const result = act()
        common.save()
        return result
      } finally {
        common = undefined
      }
    },
    begin: (nowMs) => ({ nowMs, numbering: common ?? newNumbering() }),
  }
}
