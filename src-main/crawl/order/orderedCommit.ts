/** Commits the documents of a run in the order in which they were scheduled, which is the order in which they were found. Each document gets
 *  a number before it may be fetched, and a number is only issued while the window has room. Results that come early wait in files until those
 *  before them are there.
 *
 *  Numbers are issued inside the transaction of the commit that makes room for them, so which document gets which number depends on what is
 *  committed and not on how fast servers answer. Two runs over the same unchanging site commit the same documents in the same order.
 *
 *  Everything is in the database and in the folder of the job: a run that is paused or killed continues with the same numbers. */
import type { World } from '../../world/world.ts'
import type { HostStatus } from '../live/liveRun.ts'
import type { ReadyDocument } from '../frontier/readyDocuments.ts'
import type { Log } from '../model/jobLog.ts'
import { earlyBytesMax, numbersPerWorker, reschedulesMax } from '../model/limits.ts'
import type { Result } from '../settle/result.ts'
import { commitWindow, type CommitWindow } from './commitWindow.ts'
import { orderStatements } from './commitWindow.sql.ts'
import { deliveringTo } from './delivering.ts'
import { earlyResults } from './earlyResults.ts'
import { fetchersAtWork } from './fetchers.ts'
import { heldResults } from './heldResults.ts'
import { issuingFor, numbersOf, type IssuingSetting } from './issuing.ts'
import { watchOver } from './overdue.ts'
import { receivingWith } from './receiving.ts'
import { restored } from './restoring.ts'

/** The ordered commit of one segment of a run. */
export interface OrderedCommit {
  /** Continues where the last segment ended, and issues the first numbers. */
  open(): Promise<void>
  /** Whether the document has a number. Its request counts in the budget of its domain since the number was issued. */
  hasNumber(document: number): boolean
  /** Whether the budgets of domains allow the request for a document with a number; undefined if it has none. */
  hostStatus(document: number): HostStatus | undefined
  /** Notes that a fetcher has begun with a document. The function returned notes that it has ended. */
  begin(ready: ReadyDocument): () => void
  /** Resolves when the result is committed, or is safe in a file and waits for those before it. */
  commit(result: Result): Promise<void>
  /** Called within the transaction of each commit, after the result was written. `fetched`: the change to the number of fetched documents. */
  settled(result: Result, fetched: number): void
  /** Puts documents with numbers into the queue, and looks after those that others wait for. Returns how many were placed. */
  place(): number
  /** Resolves when nothing is being written, and early results are in files. Called when no fetcher is at work any more. */
  close(): Promise<void>
  /** Commits what was fetched although something before it is missing: nothing more will be fetched. */
  flush(): Promise<void>
}

/** Parameters of an ordered commit. */
export interface OrderSetting extends IssuingSetting {
  world: World
  folder: string
  /** Number of workers: the fetchers of the job. */
  workers: number
  /** Objects that the run may fetch, and has fetched in earlier segments. */
  objectsMax: number
  fetched: number
  log: Log
  /** Writes a result; results are written in the order of the calls. */
  write(result: Result): Promise<void>
  /** Hands a document out again whose answer has not come; false if its host may not be asked now. */
  again(ready: ReadyDocument): boolean
  /** Called when the rules of a host are committed: they may come from an earlier segment. */
  onRobots(host: number, robots: NonNullable<Result['robots']>): void
  onFault(error: unknown): void
}

/** Opens the ordered commit of a segment. */
export function orderedCommit(setting: OrderSetting): OrderedCommit {
  const { store, world, job } = setting
  const { clock } = world
  const sql = orderStatements(store)
  const early = earlyResults(world, setting)
  const held = heldResults(early, setting)
  const numbers = numbersOf(setting)
  const issuing = issuingFor(setting, numbers)
  const fetchers = fetchersAtWork()
  /** Documents whose results are being written under their numbers. */
  const written = new Set<number>()
  const width = setting.workers * numbersPerWorker
  let window: CommitWindow = commitWindow({ width, reschedulesMax })
  let { fetched } = setting
  /** Deliveries that no fetcher waits for. */
  let followUp = Promise.resolve()

  const deliver = deliveringTo({
    held,
    window: () => window,
    nowMs: () => clock.elapsed(),
    async write(number, result) {
      written.add(result.document.id)
      await setting.write(result)
      if (result.robots) setting.onRobots(result.host, result.robots)
      await held.remove(number)
    },
    leaveEmpty: (number) =>
      store.transaction(() => {
        numbers.leaveEmpty(number, clock.now())
        issue()
      }),
  })

  const issue = () =>
    issuing.issue(window, () => held.fileBytes < earlyBytesMax && fetched + numbers.count < setting.objectsMax)

  function reschedule(number: number): boolean {
    if (!window.reschedule(number, clock.elapsed())) return false
    sql.reschedule.run({ job, number })
    return true
  }

  const watch = watchOver({
    ...{ numbers, fetchers, clock, reschedule, log: setting.log, again: setting.again },
    window: () => window,
    isQueued: (document) => sql.isQueued.get({ document })?.isQueued === 1,
    giveUp(number) {
      window.receive(number)
      followUp = followUp.then(deliver).catch(setting.onFault)
    },
  })

  return {
    async open() {
      const restore = await restored(setting, { early, held, numbers })
      store.transaction(() => {
        window = commitWindow({ width, reschedulesMax, ...restore() })
        issue()
      })
      await deliver()
    },
    hasNumber: (document) => numbers.numberOf(document) !== undefined,
    hostStatus: numbers.hostStatus,
    begin(ready) {
      const number = numbers.numberOf(ready.document.id)
      if (number !== undefined) window.give(number, clock.elapsed())
      return fetchers.begin(ready)
    },
    commit: receivingWith({
      ...{ numbers, fetchers, held, deliver, reschedule },
      window: () => window,
      write: setting.write,
    }),
    settled({ document: { id } }, change) {
      fetched += change
      const number = numbers.numberOf(id)
      if (number === undefined || !written.delete(id)) return
      numbers.remove(number)
      issue()
    },
    place() {
      const placed = store.unsyncedTransaction(() => {
        // As long as any number is open, only commits issue further ones: the order must not depend on when a document becomes due.
        if (window.entries.length === 0) issue()
        return issuing.placeAgain()
      })
      watch()
      return placed
    },
    close: () => followUp.then(held.writeFiles),
    flush: () =>
      followUp.then(() => {
        for (const { number } of window.entries) window.receive(number)
        return deliver()
      }),
  }
}
