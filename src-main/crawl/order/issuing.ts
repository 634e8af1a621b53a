/** Gives numbers to the documents of an ordered run, in the order in which they were found, and puts them into the queue over all jobs. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { countersBy } from '../frontier/counters.ts'
import { numberingOf } from '../frontier/numbering.ts'
import { queueStatements } from '../frontier/queue.sql.ts'
import { rescheduleDelayMsMax } from '../model/limits.ts'
import type { HostStatus, LiveRun } from '../live/liveRun.ts'
import { orderStatements } from './commitWindow.sql.ts'

/** The numbers of a segment. */
export interface Numbers {
  readonly count: number
  numberOf(document: number): number | undefined
  documentOf(number: number): number | undefined
  /** Whether the budget of the document's domain allows its request, if the numbers before it are counted; undefined: it has no number. */
  hostStatus(document: number): HostStatus | undefined
  /** Adds a number; its request counts in the budget of its domain until `remove`. */
  add(number: number, document: { id: number; url: string }): void
  /** Removes a number that is committed. Called inside a transaction. */
  remove(number: number): void
  /** Removes a number whose place stays empty: its document stands in the line again, unless it is gone. Called inside a transaction. */
  leaveEmpty(number: number, nowMs: number): void
}

/** Opens the numbers of a job. */
export function numbersOf({ store, job, live }: Pick<IssuingSetting, 'store' | 'job' | 'live'>): Numbers {
  const sql = orderStatements(store)
  const numbers = new Map<number, number>()
  const documents = new Map<number, number>()
  /** In the order of the numbers. */
  const urls = new Map<number, string>()
  const ends = new Map<number, () => void>()

  function remove(number: number): void {
    sql.remove.run({ job, number })
    numbers.delete(documents.get(number) ?? 0)
    documents.delete(number)
    urls.delete(number)
    ends.get(number)?.()
    ends.delete(number)
  }

  return {
    get count() {
      return numbers.size
    },
    numberOf: (document) => numbers.get(document),
    documentOf: (number) => documents.get(number),
    hostStatus(document) {
      const number = numbers.get(document)
      if (number === undefined) return undefined
      const before = () => [...urls].filter(([other]) => other < number).map(([, url]) => url)
      return live.hostStatusAfter(urls.get(number) ?? '', before)
    },
    add(number, { id, url }) {
      numbers.set(id, number)
      documents.set(number, id)
      urls.set(number, url)
      ends.set(number, live.begin(url))
    },
    remove,
    leaveEmpty(number, nowMs) {
      const document = documents.get(number)
      remove(number)
      if (document !== undefined) sql.unplace.run({ document, dueMs: nowMs + rescheduleDelayMsMax })
    },
  }
}

/** Parameters of `issuingFor`. */
export interface IssuingSetting {
  store: Store
  world: Pick<World, 'clock'>
  job: number
  runId: string
  live: Pick<LiveRun, 'begin' | 'hostStatus' | 'hostStatusAfter'>
  jobPriority(): number
  onPlaced(): void
}

/** A window to issue from. */
export interface Issuer {
  readonly next: number
  hasRoom(): boolean
  issue(nowMs: number): number
}

/** Issuing and placing. */
export interface Issuing {
  /** Issues numbers while the window has room and `mayIssue` allows. Called inside a transaction. */
  issue(window: Issuer, mayIssue: () => boolean): void
  /** Puts documents that wait again under their numbers into the queue, if they are due; returns how many. */
  placeAgain(): number
}

/** Prepares the issuing of numbers. */
export function issuingFor(setting: IssuingSetting, numbers: Numbers): Issuing {
  const { store, job, runId } = setting
  const { clock } = setting.world
  const sql = orderStatements(store)
  const queue = queueStatements(store)

  /** Puts documents at the front of the queue: what comes after them in this job has no position yet. */
  function place(documents: readonly number[]): void {
    if (documents.length === 0) return
    const priority = numberingOf({ ...countersBy(queue), limitsOf: () => ({ fetchesPerMs: Infinity }) }).front()
    for (const id of documents) queue.place.run({ id, priority, jobPriority: setting.jobPriority() })
    setting.onPlaced()
  }

  return {
    issue(window, mayIssue) {
      const issued: number[] = []
      const nowMs = clock.now()
      while (window.hasRoom() && mayIssue()) {
        const document = sql.nextInLine.get({ job, nowMs })
        // While other numbers may use up the budget of its domain, the line waits for them.
        if (document === undefined || setting.live.hostStatus(document.url) === 'wait') break
        const number = window.issue(clock.elapsed())
        sql.issue.run({ job, runId, number, document: document.id })
        numbers.add(number, document)
        issued.push(document.id)
      }
      if (issued.length === 0) return
      sql.setNext.run({ job, runId, next: window.next })
      place(issued)
    },
    placeAgain() {
      const documents = sql.toPlace.all({ job, nowMs: clock.now() }).map(({ id }) => id)
      place(documents)
      return documents.length
    },
  }
}
