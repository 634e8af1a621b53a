/** The checks that run in this process. A replica is checked by one check at a time; a check by the user interrupts scheduled ones. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { ArchiveFault, reasonIn } from '../files/archiveFault.ts'
import type { CheckLists } from './checkList.ts'
import type { CheckRecords } from './checkRecords.ts'
import { replicasOf } from './checkSummary.ts'
import type { Beginner, CheckRow } from './preservation.sql.ts'

interface Run {
  begunBy: Beginner
  stopper: AbortController
  replicas: string[]
  /** Resolves when the check no longer runs. Never rejects. */
  whole: Promise<void>
}

interface CheckRunsParts {
  records: CheckRecords
  lists: CheckLists
  /** Checks the copies and returns the reasons why replicas could not be checked. */
  checkCopies: (check: CheckRow, replicas: readonly string[], signal: AbortSignal) => Promise<Message[]>
  /** Called when the state of a check has changed. */
  onChange: (check: number) => void
  /** Called when a check has examined every chosen copy. */
  onFinished: () => void
  /** Called with an unexpected error (a bug), which ends the check. */
  onBug: (error: unknown) => void
}

export interface CheckRuns {
  /** Starts the check and resolves when its list is complete. */
  start(check: CheckRow): Promise<void>
  /** Interrupts scheduled checks of these replicas, so that a check by the user need not wait for them. */
  makeWay(replicas: readonly string[], by: Beginner): Promise<void>
  /** Throws `ArchiveFault` refused when one of the replicas is being checked. */
  refuseBusy(replicas: readonly string[]): void
  /** Stops the work on a check and waits for its end. Its state is the caller's. */
  stop(check: number): Promise<void>
  /** Resolves when the check no longer runs in this process. */
  ended(check: number): Promise<void>
  /** Stops the work of all checks without ending them. */
  close(): Promise<void>
}

/** Creates the registry of running checks, which is empty at every start: checks that a crash interrupted are not resumed here. */
export function checkRuns({ records, lists, checkCopies, onChange, onFinished, onBug }: CheckRunsParts): CheckRuns {
  const runs = new Map<number, Run>()

  async function start(check: CheckRow): Promise<void> {
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
    onChange(check.id)
    await listed
  }

  async function run(
    check: CheckRow,
    replicas: readonly string[],
    signal: AbortSignal,
    onListed: () => void,
  ): Promise<void> {
    await writeList(check, replicas, signal)
    onListed()
    const problems = await checkCopies(check, replicas, signal)
    signal.throwIfAborted()
    const finished = records.rowOf(check.id).findings === 0 ? 'finished' : 'finishedWithFindings'
    records.end(
      check.id,
      problems.length === 0 ? finished : 'failed',
      problems.length === 0 ? undefined : joined(problems),
    )
    onChange(check.id)
    if (problems.length === 0) onFinished()
  }

  /** Writes the list, again where a crash left it incomplete; in that case nothing on it has been checked. */
  async function writeList(check: CheckRow, replicas: readonly string[], signal: AbortSignal): Promise<void> {
    if (check.list !== 'growing') return
    await lists.write(check, replicas, signal)
    signal.throwIfAborted()
    records.listed(check.id)
  }

  function broken(check: number, error: unknown, signal: AbortSignal): void {
    if (signal.aborted && error === signal.reason) return
    // A check started by an earlier version may have a pattern that is refused now; that is not a bug.
    const isRefused = error instanceof ArchiveFault
    if (!isRefused) onBug(error)
    const why = isRefused ? reasonIn(error) : message('check.bug', { problem: messageOf(error) })
    try {
      records.end(check, 'failed', why)
      onChange(check)
    } catch (again) {
      onBug(again)
    }
  }

  const isAbout = (run: Run, replicas: readonly string[]) => run.replicas.some((replica) => replicas.includes(replica))

  async function stop(check: number): Promise<void> {
    const running = runs.get(check)
    running?.stopper.abort()
    await running?.whole
  }

  return {
    start,
    async makeWay(replicas, by) {
      if (by === 'schedule') return
      for (const [check, run] of runs) {
        if (run.begunBy === 'person' || !isAbout(run, replicas)) continue
        records.end(check, 'interrupted', undefined)
        await stop(check)
        onChange(check)
      }
    },
    refuseBusy(replicas) {
      const [busy] = [...runs].find(([, run]) => isAbout(run, replicas)) ?? []
      if (busy !== undefined) throw new ArchiveFault('refused', message('check.busy', { check: busy }))
    },
    stop,
    ended: async (check) => runs.get(check)?.whole,
    async close() {
      for (const { stopper } of runs.values()) stopper.abort()
      await Promise.all([...runs.values()].map(({ whole }) => whole))
    },
  }
}
