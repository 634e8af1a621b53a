/** Assigns queue positions to documents that have none or need a new one: postponed documents that are due, documents
 *  returned by a stop, documents that block others, and all documents when a stop has left gaps in the numbers. Newly found
 *  documents get their position where they are added (`frontier.ts`). */
import type { Store } from '../../storage/storage.ts'
import { countersBy } from './counters.ts'
import { numberingOf, type Numbering } from './numbering.ts'
import { lowered } from './priority.ts'
import { queueStatements, type PlacedRow, type QueuedRow } from './queue.sql.ts'
import { placesOf } from './slotTerms.ts'
import type { JobSlot } from './servers.ts'

/** Result of one step of `displace`. */
export interface Displaced {
  next: number | undefined
  changed: number
}

/** Assignment of positions. */
export interface Placing {
  /** Assigns positions to up to one batch of due documents that need one; returns how many. */
  placeNeedy(slot: JobSlot, nowMs: number): number
  /** Moves documents to the end of their bins, so that they do not block others. */
  moveToEnd(slot: JobSlot, rows: readonly Pick<QueuedRow, 'id' | 'url' | 'lift'>[]): void
  /** Removes the positions of a batch of a job's documents, from `after` on; returns where the next batch begins,
   *  undefined at the end. */
  displace(job: number, after: number): Displaced
  /** Starts to renumber all documents; each `renumber` does one batch. */
  beginRenumbering(): void
  readonly isRenumbering: boolean
  /** Renumbers one batch, in the current order. */
  renumber(slotOf: (job: number) => JobSlot | undefined): void
}

/** Most documents to place in one transaction: some milliseconds, so that workers wait no longer than for a commit. */
const batchMax = 1_000
/** Most rows of a job to examine in one transaction when its positions are removed. */
const displaceMax = 5_000
/** The priorities of jobs, highest first. */
export const jobPriorities = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** Opens the assignment of positions. A renumbering that a kill interrupted continues. */
export function placingIn(store: Store): Placing {
  const sql = queueStatements(store)
  /** How far the renumbering has come, and where it ends. Documents that move past the end have their new number. */
  let cursor: { jobPriority: number; after: number; afterId: number; until: number } | undefined
  let isRenumbering = sql.depth.get({})?.isResetting === 1

  const numbering = (slot: JobSlot): Numbering => numberingOf({ ...countersBy(sql), limitsOf: placesOf(slot).rateOf })

  function cursorAt(jobPriority: number): typeof cursor {
    const until = sql.last.get({ jobPriority })?.priority
    return { jobPriority, after: -1, afterId: 0, until: until ?? -1 }
  }

  function renumberRows(rows: PlacedRow[], jobPriority: number, slotOf: (job: number) => JobSlot | undefined): void {
    for (const [job, own] of Map.groupBy(rows, (row) => row.job)) {
      const slot = slotOf(job)
      if (!slot) continue
      const numbers = numbering(slot)
      for (const { id, url, role, lift } of own) {
        const place = role === 'robots' || lift > 0 ? numbers.front() : numbers.next(slot.binsOf(url))
        sql.place.run({ id, jobPriority, priority: lowered(place, lift) })
      }
      numbers.save()
    }
  }

  return {
    placeNeedy(slot, nowMs) {
      const rows = sql.needy.all({ job: slot.job, nowMs, limit: batchMax })
      if (rows.length === 0) return 0
      store.transaction(() => {
        const numbers = numbering(slot)
        for (const { id, url, role, attempts, lift } of rows) {
          // A document that was tried before was at the front once, so it does not go after everything found since.
          const isFirst = role === 'robots' || attempts > 0 || lift > 0
          sql.place.run({
            id,
            priority: lowered(isFirst ? numbers.front() : numbers.next(slot.binsOf(url)), lift),
            jobPriority: slot.priority,
          })
        }
        numbers.save()
      })
      return rows.length
    },
    moveToEnd(slot, rows) {
      const numbers = numbering(slot)
      for (const [at, { id, url, lift }] of rows.entries()) {
        const bins = slot.binsOf(url)
        // Documents that a user moved to the front are spread among the others at the rate of their host, not put after all
        // other documents of it.
        const place = lift > 0 ? numbers.aside(bins, at + 1) : numbers.next(bins)
        sql.place.run({ id, priority: lowered(place, lift), jobPriority: slot.priority })
      }
      numbers.save()
    },
    displace(job, after) {
      const last = sql.stepOfJob.get({ job, after, limit: displaceMax })?.last ?? undefined
      if (last === undefined) return { next: undefined, changed: 0 }
      return { next: last, changed: sql.displace.run({ job, after, last }) }
    },
    beginRenumbering() {
      store.transaction(() => {
        sql.dropCounters.run({})
        sql.beginReset.run({})
      })
      isRenumbering = true
      cursor = undefined
    },
    get isRenumbering() {
      return isRenumbering
    },
    renumber(slotOf) {
      store.transaction(() => {
        cursor ??= cursorAt(jobPriorities[0])
        if (!cursor) return
        const rows = sql.placed.all({ ...cursor, limit: batchMax })
        renumberRows(rows, cursor.jobPriority, slotOf)
        const last = rows.at(-1)
        if (last && rows.length === batchMax) {
          cursor = { ...cursor, after: last.priority, afterId: last.id }
          return
        }
        const next = jobPriorities.find((priority) => priority > (cursor?.jobPriority ?? 0))
        cursor = next === undefined ? undefined : cursorAt(next)
        if (cursor) return
        sql.endReset.run({})
        isRenumbering = false
      })
    },
  }
}
