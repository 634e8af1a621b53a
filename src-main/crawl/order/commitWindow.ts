/** The window of an ordered run: which numbers are given to fetchers, which answers have arrived, and which can be delivered, in the order of
 *  the numbers. A selective repeat protocol, as Yioop's queue server has it (sender and receiver of one window). Pure: times are given, and
 *  answers are kept by the caller.
 *
 *  Numbers count from 1. `base` is the first that is not delivered; a number is issued only below `base + width`. */

/** A number that was issued and is not delivered. */
export interface WindowEntry {
  number: number
  /** When it was given to a fetcher last, in milliseconds. */
  scheduledMs: number
  /** How often it was given again. */
  reschedules: number
  isAcknowledged: boolean
}

/** `kept`: the answer will be delivered. All others are dropped. `duplicate`: the number was answered before; the fetcher need not know.
 *  `unknown`: the number was never issued. */
export type Verdict = 'kept' | 'duplicate' | 'unknown'

/** Parameters of a window. */
export interface WindowSetting {
  width: number
  /** How often a number is given again before its place stays empty. */
  reschedulesMax: number
  /** The next number to issue, and what was issued and not delivered, ascending: from the start of the run, or as they were stored. More
   *  than `width` may have been issued: they stay. */
  next?: number
  entries?: readonly WindowEntry[]
}

/** The window. */
export interface CommitWindow {
  /** First number that is not delivered. */
  readonly base: number
  /** Next number to issue. */
  readonly next: number
  readonly entries: readonly Readonly<WindowEntry>[]
  /** Since when the first entry is the first. */
  readonly headSinceMs: number
  hasRoom(): boolean
  /** Issues the next number. Throws without room. */
  issue(nowMs: number): number
  /** The number that was given first of those that were given before `beforeMs` and have no answer. */
  overdue(beforeMs: number): number | undefined
  /** Notes that a fetcher begins with a number now. */
  give(number: number, nowMs: number): void
  /** Gives a number again. False: it was given as often as it may be, and its place stays empty. */
  reschedule(number: number, nowMs: number): boolean
  /** Notes the answer to a number, or that its place stays empty. */
  receive(number: number): Verdict
  /** Removes and returns the numbers that can be delivered now, in order. */
  deliver(nowMs: number): number[]
}

/** Opens a window. */
export function commitWindow(setting: WindowSetting): CommitWindow {
  const { width, reschedulesMax } = setting
  let { next = 1 } = setting
  let entries = (setting.entries ?? []).map((entry) => ({ ...entry }))
  let headSinceMs = entries[0]?.scheduledMs ?? 0

  const first = () => entries[0]?.number ?? next
  const entryOf = (number: number) => entries.find((entry) => entry.number === number)

  return {
    get base() {
      return first()
    },
    get next() {
      return next
    },
    get entries() {
      return entries
    },
    get headSinceMs() {
      return headSinceMs
    },
    hasRoom: () => next < first() + width,
    issue(nowMs) {
      if (next >= first() + width) throw new Error('the window has no room')
      const scheduledMs = Math.max(nowMs, entries.at(-1)?.scheduledMs ?? nowMs)
      entries.push({ number: next, scheduledMs, reschedules: 0, isAcknowledged: false })
      next += 1
      return next - 1
    },
    overdue(beforeMs) {
      const late = entries.filter(({ isAcknowledged, scheduledMs }) => !isAcknowledged && scheduledMs < beforeMs)
      return late.toSorted((a, b) => a.scheduledMs - b.scheduledMs)[0]?.number
    },
    give(number, nowMs) {
      const entry = entryOf(number)
      if (entry) entry.scheduledMs = Math.max(entry.scheduledMs, nowMs)
    },
    reschedule(number, nowMs) {
      const entry = entryOf(number)
      if (!entry || entry.isAcknowledged || entry.reschedules >= reschedulesMax) return false
      entry.reschedules += 1
      entry.scheduledMs = Math.max(entry.scheduledMs, nowMs)
      return true
    },
    receive(number) {
      if (number >= next || number < 1) return 'unknown'
      const entry = entryOf(number)
      if (!entry || entry.isAcknowledged) return 'duplicate'
      entry.isAcknowledged = true
      return 'kept'
    },
    deliver(nowMs) {
      const waits = entries.findIndex(({ isAcknowledged }) => !isAcknowledged)
      const delivered = entries.slice(0, waits < 0 ? entries.length : waits)
      if (delivered.length > 0) headSinceMs = nowMs
      entries = entries.slice(delivered.length)
      return delivered.map(({ number }) => number)
    },
  }
}
