/** Bit preservation: looks after the copies that the archive holds. A check is a list of copies written down when it is
 *  started, so a stopped or killed one goes on at the copy where it stopped; each copy is settled in a transaction of its
 *  own. A check that a kill interrupted is not taken up by itself: reading whole disks is begun by a person, and `preserve
 *  status` must not start it. Deliberately not here: mending what a check found. */
import type { CheckSummary, PreservationFinding } from '../contract/contract.ts'
import { checkStates } from '../contract/states.ts'
import { mover } from '../storage/guard.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { ArchiveFault } from './archiveFault.ts'
import type { Archive } from './archive.ts'
import { timeOf } from './catalogue.ts'
import { checksCountMax, findingsCountMax } from './limits.ts'
import { looker } from './looking.ts'
import { matcher } from './matcher.ts'
import { preservationStatements, type CheckKind, type CheckRow } from './preservation.sql.ts'
import { sampleOf } from './sample.ts'

export interface CheckOrder {
  /** `missing`: is every file there with its right length, and nothing else. `checksums`: every byte is read. */
  kind: CheckKind
  /** Every replica when absent. */
  replica?: string | undefined
  /** Only files whose name matches this regular expression. */
  files?: string | undefined
  /** Only so many files, chosen by chance. */
  sample?: number | undefined
}

export interface PreservationParts {
  archive: Archive
  store: Store
  world: World
  /** Told of what should not have happened while a check ran; the check is failed with it. */
  onBug: (error: unknown) => void
}

export interface Preservation {
  /** Begins; `ended` says when it is through. Throws `ArchiveFault`: no such replica, or it is being checked already. */
  check(order: CheckOrder): Promise<CheckSummary>
  stop(check: number): Promise<CheckSummary>
  resume(check: number): Promise<CheckSummary>
  /** When it no longer runs in this process. */
  ended(check: number): Promise<CheckSummary>
  /** Newest first. */
  checks(): CheckSummary[]
  /** Of one check, or everything that is wrong as far as is known. */
  findings(check?: number): PreservationFinding[]
  /** At most a few times a second for each check, and always at its start and end. Returns how to stop listening. */
  onChange(listener: (summary: CheckSummary) => void): () => void
  /** Ends the work without ending the checks: they stand as stopped at the next opening. */
  close(): Promise<void>
}

interface Run {
  stopper: AbortController
  replicas: string[]
  whole: Promise<void>
}

export function openPreservation({ archive, store, world, onBug }: PreservationParts): Preservation {
  const statements = preservationStatements(store)
  const moveCheck = mover(store, checkStates, { table: 'preservation_check' })
  const listeners = new Set<(summary: CheckSummary) => void>()
  const lookAt = looker({ archive, store, world, statements, onLooked: tell })
  const runs = new Map<number, Run>()
  for (const { id } of statements.running.all({})) end(id, 'interrupted', null)

  /** Moves the check and writes when and why; false when it is in no state for that. */
  function end(check: number, event: 'finished' | 'stop' | 'interrupted' | 'failed', problem: string | null): boolean {
    return store.transaction(() => {
      if (moveCheck(check, event) === undefined) return false
      statements.noteEnd.run({ check, nowMs: world.clock.now(), problem })
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
    for (const listener of listeners) listener(summary)
    return summary
  }

  function refuseBusy(replicas: readonly string[]): void {
    const busy = [...runs].find(([, run]) => run.replicas.some((replica) => replicas.includes(replica)))
    if (busy)
      throw new ArchiveFault('refused', `check ${busy[0]} is looking at the same replica: wait for it or stop it`)
  }

  /** Writes down what the check has to look at. */
  function plan({ kind, files, sample }: CheckOrder, replicas: readonly string[]): number {
    return store.transaction(() => {
      const added = statements.add.get({
        kind,
        replicas: JSON.stringify(replicas),
        filesPattern: files ?? null,
        sample: sample ?? null,
        nowMs: world.clock.now(),
      })
      if (!added) throw new Error('adding a check gave no row')
      const chosen = chosenFiles(replicas, files, sample)
      const chosenIds = chosen ? JSON.stringify(chosen) : null
      for (const replica of replicas) {
        statements.addItems.run({ check: added.id, replicas: JSON.stringify([replica]), files: chosenIds })
      }
      statements.noteTotals.run({ check: added.id })
      return added.id
    })
  }

  /** The ids of the files that the order chooses; undefined for all. */
  function chosenFiles(
    replicas: readonly string[],
    pattern: string | undefined,
    sample: number | undefined,
  ): number[] | undefined {
    if (pattern === undefined && sample === undefined) return undefined
    const matches = matcher(pattern ?? null)
    const candidates = statements.candidates
      .all({ replicas: JSON.stringify(replicas) })
      .filter(({ name }) => matches(name))
    const ids = candidates.map(({ id }) => id)
    return sample === undefined ? ids : sampleOf(world.chance, ids, sample)
  }

  function start(check: CheckRow): CheckSummary {
    const stopper = new AbortController()
    const replicas = replicasOf(check)
    const whole = run(check, replicas, stopper.signal)
      .catch((error: unknown) => broken(check.id, error, stopper.signal))
      .finally(() => runs.delete(check.id))
    runs.set(check.id, { stopper, replicas, whole })
    return tell(check.id)
  }

  function broken(check: number, error: unknown, signal: AbortSignal): void {
    if (signal.aborted && error === signal.reason) return
    onBug(error)
    try {
      end(check, 'failed', `Loupe could not go on: ${error instanceof Error ? error.message : String(error)}`)
      tell(check)
    } catch (again) {
      onBug(again)
    }
  }

  async function run(check: CheckRow, replicas: readonly string[], signal: AbortSignal): Promise<void> {
    const problems = await lookAt(check, replicas, signal)
    signal.throwIfAborted()
    end(check.id, problems.length === 0 ? 'finished' : 'failed', problems.join('; ') || null)
    tell(check.id)
  }

  return {
    async check(order) {
      const replicas = archive.places
        .map(({ name }) => name)
        .filter((name) => order.replica === undefined || name === order.replica)
      if (replicas.length === 0) throw new ArchiveFault('notFound', `there is no replica ${order.replica}`)
      refuseBusy(replicas)
      return start(rowOf(plan(order, replicas)))
    },
    async stop(check) {
      const { state } = rowOf(check)
      if (!end(check, 'stop', null)) throw new ArchiveFault('refused', `check ${check} is not running: it is ${state}`)
      const running = runs.get(check)
      running?.stopper.abort()
      await running?.whole
      return tell(check)
    },
    async resume(check) {
      const row = rowOf(check)
      refuseBusy(replicasOf(row))
      store.transaction(() => {
        if (moveCheck(check, 'resume') === undefined)
          throw new ArchiveFault('refused', `check ${check} cannot be resumed: it is ${row.state}`)
        statements.noteEnd.run({ check, nowMs: null, problem: null })
      })
      return start(row)
    },
    async ended(check) {
      await runs.get(check)?.whole
      return summaryOf(rowOf(check))
    },
    checks: () => statements.checks.all({ limit: checksCountMax }).map(summaryOf),
    findings(check) {
      if (check === undefined) return statements.findingsNow.all({ limit: findingsCountMax })
      return statements.findingsOf.all({ check: rowOf(check).id, limit: findingsCountMax })
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      for (const { stopper } of runs.values()) stopper.abort()
      await Promise.all([...runs.values()].map(({ whole }) => whole))
    },
  }
}

function summaryOf(row: CheckRow): CheckSummary {
  return {
    check: row.id,
    kind: row.kind,
    replicas: replicasOf(row),
    state: row.state,
    started: new Date(row.startedMs).toISOString(),
    ended: timeOf(row.endedMs),
    filesTotal: row.filesTotal,
    filesDone: row.filesDone,
    bytesTotal: row.bytesTotal,
    bytesDone: row.bytesDone,
    findings: row.findings,
    problem: row.problem,
  }
}

/** As `plan` wrote it. */
function replicasOf(row: CheckRow): string[] {
  return JSON.parse(row.replicas) as string[]
}
