/** Bit preservation: checks the copies in the archive. The list of copies is written when a check starts, so a stopped or interrupted
 *  check continues at the same copy; each copy is settled in its own transaction. Opening the archive does not resume an interrupted
 *  check, because `preserve status` must not start reading whole disks. The schedule resumes the checks that it started
 *  (`schedule.ts`), and its checks give way to checks by the user. Repairs are done elsewhere (`repair.ts`). */
import { emitter } from '../../contract/calls/emitter.ts'
import type { CheckEstimate, CheckSummary, PreservationFinding } from '../../contract/services/checks.ts'
import { checkStates } from '../../contract/states/states.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { auditTrail } from '../audit/audit.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { checksCountMax, estimateNamesMax, findingsCountMax } from '../files/limits.ts'
import type { Archive } from '../store/archive.ts'
import { checkActions } from './checkActions.ts'
import { checkLists, type CheckLists } from './checkList.ts'
import { checkRecords } from './checkRecords.ts'
import { replicasOf, summaryOf } from './checkSummary.ts'
import { checkRunner } from './checkRunner.ts'
import { checkRuns } from './checkRuns.ts'
import { preservationStatements, type Beginner, type CheckKind, type FindingRow } from './preservation.sql.ts'

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

/** Opens bit preservation and marks checks left running by a crash as interrupted. */
export function openPreservation({ archive, store, world, onBug }: PreservationParts): Preservation {
  const { clock } = world
  const statements = preservationStatements(store)
  const actions = checkActions(auditTrail(store))
  const events = replicaEvents(store)
  const records = checkRecords({ store, clock, statements, actions, events })
  const lists = checkLists({ store, world, events, places: archive.places })
  const clearing = listClearing(lists, onBug)
  const changes = emitter<CheckSummary>()
  const checkCopies = checkRunner({ archive, store, world, statements, actions, onProgressMade: changed })
  const runs = checkRuns({ records, lists, checkCopies, onChange: changed, onFinished: clearing.start, onBug })
  for (const { id } of statements.running.all({})) records.end(id, 'interrupted', undefined)
  if (lists.toClear().length > 0) clearing.start()

  /** Emits the summary of a check and returns it. */
  function changed(check: number): CheckSummary {
    const summary = summaryOf(records.rowOf(check))
    changes.emit(summary)
    return summary
  }

  function replicasIn({ replica: wanted }: CheckOrder): string[] {
    const replicas = archive.places.map(({ name }) => name).filter((name) => wanted === undefined || name === wanted)
    if (replicas.length === 0) throw new ArchiveFault('notFound', message('replica.absent', { replica: wanted ?? '' }))
    return replicas
  }

  return {
    async check(order, by = 'person') {
      const replicas = replicasIn(order)
      const { kind, files, sample = null } = order
      // An invalid pattern, or one that matches no file, is refused before anything is written.
      if (files !== undefined) await refuseNoFile(lists, files)
      await runs.makeWay(replicas, by)
      runs.refuseBusy(replicas)
      const row = records.add({ kind, replicas, filesPattern: files ?? null, sample, begunBy: by })
      await runs.start(row)
      return changed(row.id)
    },
    estimate: (order) => estimateOf(lists, order, replicasIn(order)),
    async stop(check) {
      const { state } = records.rowOf(check)
      if (!records.end(check, 'stop', undefined))
        throw new ArchiveFault('refused', message('check.notRunning', { check, state: checkStates.rows[state].badge }))
      await runs.stop(check)
      return changed(check)
    },
    async resume(check, by = 'person') {
      const replicas = replicasOf(records.rowOf(check))
      await runs.makeWay(replicas, by)
      runs.refuseBusy(replicas)
      await runs.start(records.resume(check, by))
      return changed(check)
    },
    async ended(check) {
      await runs.ended(check)
      return summaryOf(records.rowOf(check))
    },
    checks: () => statements.checks.all({ limit: checksCountMax }).map(summaryOf),
    findings(check) {
      const replicas = JSON.stringify(archive.places.map(({ name }) => name))
      const rows =
        check === undefined
          ? statements.findingsNow.all({ replicas, limit: findingsCountMax })
          : statements.findingsOf.all({ check: records.rowOf(check).id, limit: findingsCountMax })
      return rows.map(shown)
    },
    onChange: changes.on,
    async close() {
      clearing.stop()
      await runs.close()
      await clearing.ended()
    },
  }
}

/** A finding in the form of the contract: its expected and found values are stored messages. */
function shown({ expected, found, ...finding }: FindingRow): PreservationFinding {
  return {
    ...finding,
    expected: expected === null ? null : messageFrom(expected),
    found: found === null ? null : messageFrom(found),
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
