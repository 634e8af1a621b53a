/** Bit preservation: checks the copies in the archive. The list of copies is written when a check starts, so a stopped or interrupted
 *  check continues at the same copy; each copy is settled in its own transaction. Opening the archive does not resume an interrupted
 *  check, because `preserve status` must not start reading whole disks. The schedule resumes the checks that it started
 *  (`schedule.ts`), and its checks give way to checks by the user. Repairs are done elsewhere (`repair.ts`). */
import type { CheckEstimate, CheckSummary, PreservationFinding } from '../../contract/services/archive.ts'
import { checkStates } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { Archive } from '../store/archive.ts'
import { checksCountMax, estimateNamesMax, findingsCountMax } from '../files/limits.ts'
import { checkRunner } from './checkRunner.ts'
import { auditTrail } from '../audit/audit.ts'
import { checkActions, type CheckEnd } from './checkActions.ts'
import { checkLists } from './checkList.ts'
import { preservationStatements, type Beginner, type CheckKind, type CheckRow } from './preservation.sql.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

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

export interface PreservationParts {
  archive: Archive
  store: Store
  world: World
  /** Called with an unexpected error (a bug) during a check, which then fails. */
  onBug: (error: unknown) => void
}

/** Checks of the archive. */
export interface Preservation {
  /** Starts a check; `ended` resolves when it is done. Throws `ArchiveFault` when the replica does not exist or is already being
   *  checked. */
  check(order: CheckOrder, by?: Beginner): Promise<CheckSummary>
  /** Number of files and bytes that the check would read. Writes nothing and reads no files. */
  estimate(order: CheckOrder): Promise<CheckEstimate>
  stop(check: number): Promise<CheckSummary>
  resume(check: number, by?: Beginner): Promise<CheckSummary>
  /** Resolves when the check no longer runs in this process. */
  ended(check: number): Promise<CheckSummary>
  /** Checks, newest first, at most `checksCountMax`. */
  checks(): CheckSummary[]
  /** Findings of one check, or all known problems when `check` is absent. */
  findings(check?: number): PreservationFinding[]
  /** Calls the listener a few times a second for each running check, and always at its start and end. Returns a function that removes
   *  the listener. */
  onChange(listener: (summary: CheckSummary) => void): () => void
  /** Stops the work without ending the checks; they are marked as interrupted at the next start. */
  close(): Promise<void>
}

interface Run {
  begunBy: Beginner
  stopper: AbortController
  replicas: string[]
  whole: Promise<void>
}

/** Opens bit preservation and marks checks left running by a crash as interrupted. */
export function openPreservation({ archive, store, world, onBug }: PreservationParts): Preservation {
  const statements = preservationStatements(store)
  const moveCheck = mover(store, checkStates, { table: 'preservation_check' })
  const changes = emitter<CheckSummary>()
  const actions = checkActions(auditTrail(store))
  const lookAt = checkRunner({ archive, store, world, statements, actions, onProgressMade: tell })
  const events = replicaEvents(store)
  const lists = checkLists({ store, world, events, places: archive.places })
  const runs = new Map<number, Run>()
  const closing = new AbortController()
  let clearing = Promise.resolve()
  for (const { id } of statements.running.all({})) end(id, 'interrupted', null)
  if (lists.toClear().length > 0) clearLater()

  /** Moves the check to its end state and records the time and the reason; false when its state does not allow it. */
  function end(check: number, event: CheckEnd, problem: string | null): boolean {
    return store.transaction(() => {
      if (moveCheck(check, event) === undefined) return false
      const nowMs = world.clock.now()
      statements.noteEnd.run({ check, nowMs, problem, isDeferred: event === 'interrupted' ? 1 : 0 })
      const row = rowOf(check)
      // A check that was still writing its list has no start entry in the audit trail, so it gets no end entry.
      if (row.list !== 'growing') actions.ended(row, event, nowMs)
      return true
    })
  }

  function rowOf(check: number): CheckRow {
    const row = statements.check.get({ id: check })
    if (!row) throw new ArchiveFault('notFound', `there is no check ${check}`)
    return row
  }

  function tell(check: number): CheckSummary {
    const summary = summaryOf(rowOf(check))
    changes.emit(summary)
    return summary
  }

  function refuseBusy(replicas: readonly string[]): void {
    const busy = [...runs].find(([, run]) => run.replicas.some((replica) => replicas.includes(replica)))
    if (busy)
      throw new ArchiveFault('refused', `check ${busy[0]} is looking at the same replica: wait for it or stop it`)
  }

  /** Interrupts scheduled checks of these replicas, so that a check by the user need not wait for them. */
  async function makeWay(replicas: readonly string[], by: Beginner): Promise<void> {
    if (by === 'schedule') return
    for (const [check, run] of runs) {
      if (run.begunBy === 'person' || !run.replicas.some((replica) => replicas.includes(replica))) continue
      end(check, 'interrupted', null)
      run.stopper.abort()
      await run.whole
      tell(check)
    }
  }

  /** Adds a check with an empty list. */
  function added({ kind, files, sample }: CheckOrder, replicas: readonly string[], begunBy: Beginner): CheckRow {
    return store.transaction(() => {
      const nowMs = world.clock.now()
      const row = statements.add.get({
        kind,
        replicas: JSON.stringify(replicas),
        filesPattern: files ?? null,
        sample: sample ?? null,
        begunBy,
        nowMs,
      })
      if (!row) throw new Error('adding a check gave no row')
      for (const replica of replicas) events.begin({ replica, kind, number: row.id }, { begunBy, filesTotal: 0 }, nowMs)
      return rowOf(row.id)
    })
  }

  /** Writes the list, again where a crash left it incomplete; in that case nothing on it has been checked. */
  async function list(check: CheckRow, replicas: readonly string[], signal: AbortSignal): Promise<void> {
    if (check.list !== 'growing') return
    await lists.write(check, replicas, signal)
    signal.throwIfAborted()
    store.transaction(() => {
      statements.noteListed.run({ check: check.id })
      actions.begun(rowOf(check.id), world.clock.now())
    })
  }

  async function refuseNoFile(pattern: string): Promise<void> {
    for await (const page of lists.candidates(pattern)) if (page.length > 0) return
    throw new ArchiveFault(
      'notFound',
      `No file of the archive has a name that matches ${pattern}: nothing was checked.`,
      { fields: [['files']] },
    )
  }

  function replicasIn(order: CheckOrder): string[] {
    const replicas = archive.places
      .map(({ name }) => name)
      .filter((name) => order.replica === undefined || name === order.replica)
    if (replicas.length === 0) throw new ArchiveFault('notFound', `there is no replica ${order.replica}`)
    return replicas
  }

  /** Starts the check and resolves when its list is complete. */
  async function start(check: CheckRow): Promise<CheckSummary> {
    const stopper = new AbortController()
    const replicas = replicasOf(check)
    const { promise: listed, resolve: onListed } = Promise.withResolvers<void>()
    const whole = run(check, replicas, stopper.signal, onListed)
      .catch((error: unknown) => broken(check.id, error, stopper.signal))
      .finally(() => {
        runs.delete(check.id)
        onListed()
      })
    runs.set(check.id, { begunBy: check.begunBy, stopper, replicas, whole })
    tell(check.id)
    await listed
    return tell(check.id)
  }

  function broken(check: number, error: unknown, signal: AbortSignal): void {
    if (signal.aborted && error === signal.reason) return
    // A check started by an earlier version may have a pattern that is refused now; that is not a bug.
    const isRefused = error instanceof ArchiveFault
    if (!isRefused) onBug(error)
    const why = messageOf(error)
    try {
      end(check, 'failed', isRefused ? why : `Loupe could not go on: ${why}`)
      tell(check)
    } catch (again) {
      onBug(again)
    }
  }

  async function run(
    check: CheckRow,
    replicas: readonly string[],
    signal: AbortSignal,
    onListed: () => void,
  ): Promise<void> {
    await list(check, replicas, signal)
    onListed()
    const problems = await lookAt(check, replicas, signal)
    signal.throwIfAborted()
    const finished = rowOf(check.id).findings === 0 ? 'finished' : 'finishedWithFindings'
    end(check.id, problems.length === 0 ? finished : 'failed', problems.join('; ') || null)
    tell(check.id)
    if (problems.length === 0) clearLater()
  }

  /** Removes the lists of completed checks in the background, including those left by a crash. */
  function clearLater(): void {
    clearing = clearing
      .then(async () => {
        for (const check of lists.toClear()) await lists.clear(check, closing.signal)
      })
      .catch((error: unknown) => {
        if (!closing.signal.aborted) onBug(error)
      })
  }

  return {
    async check(order, by = 'person') {
      const replicas = replicasIn(order)
      // An invalid pattern, or one that matches no file, is refused before anything is written.
      if (order.files !== undefined) await refuseNoFile(order.files)
      await makeWay(replicas, by)
      refuseBusy(replicas)
      return start(added(order, replicas, by))
    },
    async estimate(order) {
      const replicas = replicasIn(order)
      const names: string[] = []
      const all = { files: 0, bytes: 0 }
      for await (const page of lists.candidates(order.files ?? null)) {
        const ids = page.map(({ id }) => id)
        all.files += ids.length
        all.bytes += lists.bytesToRead(replicas, ids)
        if (names.length < estimateNamesMax) names.push(...page.map(({ name }) => name))
      }
      const files = Math.min(all.files, order.sample ?? all.files)
      // A sample is drawn when the check starts; the estimate assumes files of average size.
      const share = all.files === 0 ? 0 : files / all.files
      return {
        files,
        of: all.files,
        copies: files * replicas.length,
        bytes: order.kind === 'checksums' ? Math.round(all.bytes * share) : 0,
        names: names.slice(0, estimateNamesMax),
      }
    },
    async stop(check) {
      const { state } = rowOf(check)
      if (!end(check, 'stop', null)) throw new ArchiveFault('refused', `check ${check} is not running: it is ${state}`)
      const running = runs.get(check)
      running?.stopper.abort()
      await running?.whole
      return tell(check)
    },
    async resume(check, by = 'person') {
      const row = rowOf(check)
      await makeWay(replicasOf(row), by)
      refuseBusy(replicasOf(row))
      store.transaction(() => {
        if (moveCheck(check, by === 'person' ? 'resume' : 'takenUp') === undefined)
          throw new ArchiveFault('refused', `check ${check} cannot be resumed: it is ${row.state}`)
        statements.noteResumed.run({ check, begunBy: by })
        if (row.list === 'whole') actions.begun(rowOf(check), world.clock.now())
      })
      return start(rowOf(check))
    },
    async ended(check) {
      await runs.get(check)?.whole
      return summaryOf(rowOf(check))
    },
    checks: () => statements.checks.all({ limit: checksCountMax }).map(summaryOf),
    findings(check) {
      const replicas = JSON.stringify(archive.places.map(({ name }) => name))
      if (check === undefined) return statements.findingsNow.all({ replicas, limit: findingsCountMax })
      return statements.findingsOf.all({ check: rowOf(check).id, limit: findingsCountMax })
    },
    onChange: changes.on,
    async close() {
      closing.abort()
      for (const { stopper } of runs.values()) stopper.abort()
      await Promise.all([...runs.values()].map(({ whole }) => whole))
      await clearing
    },
  }
}

function summaryOf(row: CheckRow): CheckSummary {
  return {
    check: row.id,
    kind: row.kind,
    replicas: replicasOf(row),
    begunBy: row.begunBy,
    files: row.filesPattern,
    sample: row.sample,
    state: row.state,
    started: new Date(row.startedMs).toISOString(),
    ended: timeOf(row.endedMs),
    seconds: row.runningMs / 1000,
    filesTotal: row.filesTotal,
    filesDone: row.filesDone,
    bytesTotal: row.bytesTotal,
    bytesDone: row.bytesDone,
    findings: row.findings,
    problem: row.problem,
  }
}

/** Replicas of a check, stored as a JSON list. */
function replicasOf(row: CheckRow): string[] {
  return JSON.parse(row.replicas) as string[]
}
