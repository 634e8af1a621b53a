/** Bit preservation: checks the copies in the archive. A check is a task. The list of copies is written when it starts, so a paused,
 *  stopped or interrupted check continues at the same copy; each copy is settled in its own transaction. Opening the archive does not
 *  resume an interrupted check, because `preserve status` must not start reading whole disks. The schedule resumes the checks that it
 *  started (`schedule.ts`), and its checks give way to checks by the user. Repairs are done elsewhere (`repair.ts`). */
import type { CheckEstimate, CheckSummary, PreservationFinding } from '../../contract/services/checks.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { checkKinds, type CheckKind } from '../../contract/shapes/taskKinds.ts'
import { isActiveTask, isWholeTask, type TaskEvent } from '../../contract/states/taskStates.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { KindRules, Resumer } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { openAuditLog } from '../audit/audit.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { checksCountMax, estimateNamesMax, findingsCountMax } from '../files/limits.ts'
import type { Archive } from '../store/archive.ts'
import { checkActions } from './checkActions.ts'
import { checkExclusion } from './checkExclusion.ts'
import { checkLists, type CheckLists } from './checkList.ts'
import { checkRunner } from './checkRunner.ts'
import { replicasOf, subjectOf, summaryOf } from './checkSummary.ts'
import { checkWork } from './checkWork.ts'
import {
  preservationStatements,
  type CheckRow,
  type FindingRow,
  type PreservationStatements,
} from './preservation.sql.ts'

/** A request for a check. */
export interface CheckOrder {
  /** `missing`: checks that every file exists with its right length, and that there are no others. `checksums`: reads every byte. */
  kind: CheckKind
  /** Name of one replica; absent for all replicas. */
  replica?: string | undefined
  /** Pattern of the names of the files to check. */
  files?: string | undefined
  /** Number of files to check, chosen at random; absent for all. */
  sample?: number | undefined
}

/** A check to be added. */
interface NewCheck {
  kind: CheckKind
  replicas: string[]
  files: string | null
  sample: number | null
  by: Resumer
}

export interface PreservationParts {
  archive: Archive
  store: Store
  tasks: Tasks
  world: World
  /** Called with an unexpected error (a bug) while lists of completed checks are removed. */
  onBug: (error: unknown) => void
}

/** Checks of the archive. They are stopped, paused and resumed as tasks. */
export interface Preservation {
  /** Starts a check, and resolves when its list is complete or it has ended. Throws `Fault`: notFound (no such replica, no matching file),
   *  refused (a replica is being checked, or the pattern is invalid), stopped. */
  check(order: CheckOrder, by?: Resumer): Promise<CheckSummary>
  /** Number of files and bytes that the check would read. Writes nothing and reads no files. */
  estimate(order: CheckOrder): Promise<CheckEstimate>
  /** Resolves when this process no longer works on the check. */
  ended(check: number): Promise<CheckSummary>
  /** Checks, newest first, at most `checksCountMax`. */
  checks(): CheckSummary[]
  /** Findings of one check, or all known problems when `check` is absent. */
  findings(check?: number): PreservationFinding[]
  /** Ends the removal of lists, which the next start continues. Called after the tasks are closed. */
  close(): Promise<void>
}

/** Opens bit preservation. Checks that a kill left running are interrupted. */
export async function openPreservation({
  archive,
  store,
  tasks,
  world,
  onBug,
}: PreservationParts): Promise<Preservation> {
  const { clock } = world
  const statements = preservationStatements(store)
  const actions = checkActions(openAuditLog(store))
  const events = replicaEvents(store)
  const lists = checkLists({ store, world, events, places: archive.places })
  const clearing = listClearing(lists, onBug)
  const exclusion = checkExclusion(tasks, statements)
  const checkCopies = checkRunner({ archive, store, world, statements, actions })
  const summary = (check: number) => summaryOf(tasks.one(check), rowOf(check))
  const work = checkWork({ store, clock, statements, actions, lists, summary, checkCopies })

  /** Throws `ArchiveFault` notFound when there is no such check. */
  function rowOf(check: number): CheckRow {
    const row = statements.check.get({ id: check })
    if (!row) throw new ArchiveFault('notFound', message('check.absent', { check }))
    return row
  }

  /** Writes starts and ends to the audit log. A check whose list is not complete has no start there, so it gets no end. */
  function noteMove(task: TaskSummary, event: TaskEvent): void {
    const row = rowOf(task.task)
    const check = summaryOf(task, row)
    if (event === 'resume' || event === 'autoResume') {
      exclusion.refuseBusy(check.replicas, check.task)
      if (row.list === 'whole') actions.begun(check, clock.now())
    } else if (!isActiveTask(check.state) && row.list !== 'growing') {
      actions.ended(check, event, clock.now())
    }
    if (isWholeTask(check)) clearing.start()
  }

  const rules: KindRules = {
    resume: (task) => work(task),
    beforeResume: ({ task }, by) => exclusion.makeWay(replicasOf(rowOf(task)), by),
    onMove: noteMove,
  }
  for (const kind of checkKinds) await tasks.register(kind, rules)
  if (lists.toClear().length > 0) clearing.start()

  /** Adds a check with an empty list, within the transaction that adds its task. */
  function add(taskId: number, { kind, replicas, files, sample, by }: NewCheck): void {
    statements.add.run({ taskId, replicas: JSON.stringify(replicas), filesPattern: files, sample })
    for (const replica of replicas)
      events.begin({ replica, kind, number: taskId }, { begunBy: by, filesTotal: 0 }, clock.now())
  }

  return {
    async check({ kind, replica, files = null, sample = null }, by = 'user') {
      const replicas = replicasToCheck(archive, replica)
      // An invalid pattern, or one that matches no file, is refused before anything is written.
      if (files !== null) await refuseNoFile(lists, files)
      await exclusion.makeWay(replicas, by)
      exclusion.refuseBusy(replicas)
      const listed = Promise.withResolvers<void>()
      const added = { kind, replicas, files, sample, by }
      const order = {
        subject: subjectOf(added),
        startedBy: by,
        stage: 'listing',
        record: (id: number) => add(id, added),
      } as const
      const { task } = tasks.begin(kind, order, (running) => work(running, listed.resolve))
      await Promise.race([listed.promise, tasks.ended(task)])
      return summary(task)
    },
    estimate: (order) => estimateOf(lists, order, replicasToCheck(archive, order.replica)),
    async ended(check) {
      const row = rowOf(check)
      return summaryOf(await tasks.ended(check), row)
    },
    checks() {
      const all = checkKinds.flatMap((kind) => tasks.list({ kind, limit: checksCountMax }))
      const newest = all.toSorted((one, other) => other.task - one.task).slice(0, checksCountMax)
      return newest.map((task) => summaryOf(task, rowOf(task.task)))
    },
    findings(check) {
      const rows = check === undefined ? knownProblems(archive, statements) : findingsIn(rowOf(check), statements)
      return rows.map(shown)
    },
    async close() {
      clearing.stop()
      await clearing.ended()
    },
  }
}

/** Names of all replicas, or of the wanted one alone. Throws `ArchiveFault` notFound when there is no such replica. */
function replicasToCheck({ places }: Pick<Archive, 'places'>, wanted: string | undefined): string[] {
  const replicas = places.map(({ name }) => name).filter((name) => wanted === undefined || name === wanted)
  if (replicas.length === 0) throw new ArchiveFault('notFound', message('replica.absent', { replica: wanted ?? '' }))
  return replicas
}

/** Known problems in the replicas of the current settings, whichever check found them. */
function knownProblems({ places }: Pick<Archive, 'places'>, { findingsNow }: PreservationStatements): FindingRow[] {
  const replicas = JSON.stringify(places.map(({ name }) => name))
  return findingsNow.all({ replicas, limit: findingsCountMax })
}

function findingsIn({ taskId }: CheckRow, { findingsOf }: PreservationStatements): FindingRow[] {
  return findingsOf.all({ check: taskId, limit: findingsCountMax })
}

/** A finding in the form of the contract: its expected and found values are stored messages. */
function shown({ expected, found, ...finding }: FindingRow): PreservationFinding {
  return {
    ...finding,
    expected: messageFrom(expected),
    found: messageFrom(found),
  }
}

async function refuseNoFile(lists: CheckLists, pattern: string): Promise<void> {
  for await (const page of lists.candidates(pattern)) if (page.length > 0) return
  throw new ArchiveFault('notFound', message('check.noFile', { pattern }), { fields: [['files']] })
}

/** Counts what the check would read. A sample is drawn when the check starts; the estimate assumes files of average size. */
async function estimateOf(
  lists: CheckLists,
  { kind, files: pattern, sample }: CheckOrder,
  replicas: readonly string[],
): Promise<CheckEstimate> {
  const names: string[] = []
  const all = { files: 0, bytes: 0 }
  for await (const page of lists.candidates(pattern ?? null)) {
    const ids = page.map(({ id }) => id)
    all.files += ids.length
    all.bytes += lists.bytesToRead(replicas, ids)
    if (names.length < estimateNamesMax) names.push(...page.map(({ name }) => name))
  }
  const files = Math.min(all.files, sample ?? all.files)
  const share = all.files === 0 ? 0 : files / all.files
  return {
    files,
    of: all.files,
    copies: files * replicas.length,
    bytes: kind === 'checksums' ? Math.round(all.bytes * share) : 0,
    names: names.slice(0, estimateNamesMax),
  }
}

/** Removes the lists of completed checks in the background, including those left by a crash. */
function listClearing(lists: CheckLists, onBug: (error: unknown) => void) {
  const stopper = new AbortController()
  let clearing = Promise.resolve()
  return {
    start(): void {
      clearing = clearing
        .then(async () => {
          for (const check of lists.toClear()) await lists.clear(check, stopper.signal)
        })
        .catch((error: unknown) => {
          if (!stopper.signal.aborted) onBug(error)
        })
    },
    stop: () => stopper.abort(),
    ended: () => clearing,
  }
}
