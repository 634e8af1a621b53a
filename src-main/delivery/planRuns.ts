/** Runs plans, each in a thread of its own. Which versions run is stored, so that they continue when the engine starts again. Only a few run
 *  at once: others wait for their turn. */
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import { sleepUnlessAborted } from '../world/sleepUnlessAborted.ts'
import type { World } from '../world/world.ts'
import type { CompactionInput } from './compaction.thread.ts'
import type { DeliveryReport, ReplicaPlace } from './delivery.ts'
import type { DeliveryInput } from './delivery.thread.ts'
import type { KeepingInput } from './keeping.thread.ts'
import { planRunStatements, type PlanRunRow } from './plan/planRuns.sql.ts'

/** Plans that run at once: each has a thread, with up to 64 MiB on the way and as much for each destination. */
const plansAtOnceMax = 4
/** Pause before a run that ended with an error is started again, as after a kill. */
const restartMs = 5_000
/** Time between two looks at whether statuses have changed. */
const watchMs = 1_000
const compactEveryMs = 24 * 3_600_000

interface PlanRunsSetting {
  store: Store
  world: Pick<World, 'threads' | 'clock'>
  databasePath: string
  /** `<archive>/jobs`. */
  jobsFolder: string
  /** `<archive>/indexes`. */
  indexesFolder: string
  replicas: ReplicaPlace[]
  /** Whether this process is the engine of the archive; another one only stores what is to run. */
  isEngine: boolean
  /** Resolves when archived files can be read. */
  ready: Promise<void>
  onReport(plan: string, report: DeliveryReport): void
  /** Called when a run or a status has changed. */
  onChanged(): void
  /** Called with what a run throws. */
  onProblem(error: unknown): void
}

/** The state of a run. */
export interface PlanRunState {
  /** Id of the version. */
  plan: number
  isRunning: boolean
  isOnce: boolean
  /** Why it has failed; it is started again. */
  problem: Message | null
}

/** The runs of plans. */
export interface PlanRuns {
  /** The run of the plan with this name; undefined where none is wanted. */
  of(name: string): PlanRunState | undefined
  /** Starts a version of a plan; no other version of it may be running. With `isOnce`, it ends when every document is settled. */
  start(plan: number, isOnce: boolean): void
  /** Resolves when a version has all that it keeps of the version before. Rejects when the engine closes: its run completes it then. */
  complete(plan: number): Promise<void>
  /** Resolves when the plan has stopped, also where it did not run. */
  stop(name: string): Promise<void>
  /** Stops all; they continue at the next start. */
  close(): Promise<void>
}

interface Running {
  stop: AbortController
  ended: Promise<void>
  problem: Message | null
}

export function openPlanRuns(setting: PlanRunsSetting): PlanRuns {
  const { store, world, isEngine, onChanged } = setting
  const { clock } = world
  const sql = planRunStatements(store)
  const running = new Map<number, Running>()
  const closed = new AbortController()
  let isReady = false

  function startNext(): void {
    if (!isEngine || !isReady || closed.signal.aborted) return
    for (const row of sql.runs()) {
      if (running.size >= plansAtOnceMax) return
      if (running.has(row.plan)) continue
      const run: Running = { stop: new AbortController(), ended: Promise.resolve(), problem: null }
      running.set(row.plan, run)
      run.ended = work(row, run).then(() => ended(row), setting.onProblem)
    }
  }

  function ended({ plan }: PlanRunRow): void {
    running.delete(plan)
    startNext()
    onChanged()
  }

  async function work({ plan, name, isOnce }: PlanRunRow, run: Running): Promise<void> {
    const signal = AbortSignal.any([run.stop.signal, closed.signal])
    const { databasePath, jobsFolder, indexesFolder, replicas } = setting
    const module = new URL('./delivery.thread.ts', import.meta.url)
    while (!signal.aborted) {
      try {
        await world.threads.run<DeliveryInput, void, DeliveryReport>(
          module,
          { databasePath, jobsFolder, indexesFolder, replicas, version: plan, isOnce },
          { signal, lasting: true, onReport: (report) => setting.onReport(name, report) },
        )
        // An engine that closes continues the run at its next start.
        if (!signal.aborted) sql.end.run({ plan })
        return
      } catch (error) {
        if (signal.aborted) return
        run.problem = message('problem.delivering', { problem: messageOf(error) })
        setting.onProblem(error)
        onChanged()
        await sleepUnlessAborted(clock, restartMs, signal)
      }
    }
  }

  async function begin(): Promise<void> {
    await setting.ready
    isReady = true
    startNext()
    await Promise.all([watch(setting, () => running.size > 0, closed.signal), compactDaily(setting, closed.signal)])
  }

  const looking = isEngine ? begin() : Promise.resolve()
  return {
    of(name) {
      const row = sql.ofName(name)
      if (!row) return undefined
      const run = running.get(row.plan)
      return { plan: row.plan, isOnce: row.isOnce, isRunning: run !== undefined, problem: run?.problem ?? null }
    },
    start(plan, isOnce) {
      sql.start.run({ plan, isOnce: isOnce ? 1 : 0, nowMs: clock.now() })
      startNext()
      onChanged()
    },
    complete: (version) =>
      world.threads.run<KeepingInput, void>(
        new URL('./keeping.thread.ts', import.meta.url),
        { databasePath: setting.databasePath, version },
        { signal: closed.signal },
      ),
    async stop(name) {
      const row = sql.ofName(name)
      if (!row) return
      sql.end.run({ plan: row.plan })
      const run = running.get(row.plan)
      run?.stop.abort(new Error('the plan was stopped'))
      await run?.ended
      onChanged()
    },
    async close() {
      closed.abort(new Error('the engine is closing'))
      await Promise.all([...running.values()].map(({ ended }) => ended))
      if (isReady) await looking
    },
  }
}

/** Reports changes of statuses while plans run: their threads write them. */
async function watch(
  { store, world: { clock }, onChanged }: PlanRunsSetting,
  isAnyRunning: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const sql = planRunStatements(store)
  for (let seen = 0; !signal.aborted;) {
    await sleepUnlessAborted(clock, watchMs, signal)
    if (signal.aborted || !isAnyRunning()) continue
    const newest = sql.newestEvent.get({})?.id ?? 0
    if (newest !== seen) onChanged()
    seen = newest
  }
}

async function compactDaily(
  { store, world: { threads, clock }, databasePath, onProblem }: PlanRunsSetting,
  signal: AbortSignal,
): Promise<void> {
  const sql = planRunStatements(store)
  const module = new URL('./compaction.thread.ts', import.meta.url)
  while (!signal.aborted) {
    try {
      if (sql.newestEvent.get({})?.id) await threads.run<CompactionInput, void>(module, { databasePath }, { signal })
    } catch (error) {
      if (!signal.aborted) onProblem(error)
    }
    await sleepUnlessAborted(clock, compactEveryMs, signal)
  }
}
