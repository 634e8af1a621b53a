/** Runs plans, each in a thread of its own. Which versions run is stored, so that they continue when the engine starts again. Only a few run
 *  at once: others wait for their turn. */
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import { sleepUnlessAborted } from '../world/sleepUnlessAborted.ts'
import type { World } from '../world/world.ts'
import type { DeliveryReport, ReplicaPlace, RunProgress } from './delivery.ts'
import { planRunStatements, type PlanRunRow } from './plan/planRuns.sql.ts'
import { completeInThread, runInThread } from './planThreads.ts'
import { compactDaily, watchStatuses } from './planUpkeep.ts'

/** Plans that run at once: each has a thread, with up to 64 MiB on the way and as much for each destination. */
const plansAtOnceMax = 4
/** What a run has counted when it begins. */
const nothing: RunProgress = { edges: [], steps: [] }
/** Pause before a run that ended with an error is started again, as after a kill. */
const restartMs = 5_000

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
  /** Why it has failed; null as soon as a new attempt gets on. */
  problem: Message | null
}

/** The present or last run of a plan in this process. */
export interface LastRun {
  /** Id of the version. */
  plan: number
  startedMs: number
  /** Null: it runs. */
  endedMs: number | null
  progress: RunProgress
}

/** The runs of plans. */
export interface PlanRuns {
  /** The run of the plan with this name; undefined where none is wanted. */
  of(name: string): PlanRunState | undefined
  /** The present or last run of the plan in this process; undefined where there was none. */
  last(name: string): LastRun | undefined
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
  const lastRuns = new Map<string, LastRun>()
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

  async function work(row: PlanRunRow, run: Running): Promise<void> {
    const signal = AbortSignal.any([run.stop.signal, closed.signal])
    while (!signal.aborted) {
      const begun: LastRun = { plan: row.plan, startedMs: clock.now(), endedMs: null, progress: nothing }
      lastRuns.set(keyOf(row.name), begun)
      try {
        await runInThread(setting, row, {
          signal,
          onProgress(progress) {
            begun.progress = progress
            run.problem = null
            onChanged()
          },
        })
        // An engine that closes continues the run at its next start.
        if (!signal.aborted) sql.end.run({ plan: row.plan })
        return
      } catch (error) {
        if (signal.aborted) return
        run.problem = message('problem.delivering', { problem: messageOf(error) })
        setting.onProblem(error)
        onChanged()
        await sleepUnlessAborted(clock, restartMs, signal)
      } finally {
        begun.endedMs = clock.now()
      }
    }
  }

  async function begin(): Promise<void> {
    await setting.ready
    isReady = true
    startNext()
    await Promise.all([
      watchStatuses(setting, () => running.size > 0, closed.signal),
      compactDaily(setting, closed.signal),
    ])
  }

  const looking = isEngine ? begin() : Promise.resolve()
  return {
    of(name) {
      const row = sql.ofName(name)
      if (!row) return undefined
      const run = running.get(row.plan)
      return { plan: row.plan, isOnce: row.isOnce, isRunning: run !== undefined, problem: run?.problem ?? null }
    },
    last: (name) => lastRuns.get(keyOf(name)),
    start(plan, isOnce) {
      sql.start.run({ plan, isOnce: isOnce ? 1 : 0, nowMs: clock.now() })
      startNext()
      onChanged()
    },
    complete: (version) => completeInThread(setting, version, closed.signal),
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

/** Names of plans are compared without their case, as the database does. */
function keyOf(name: string): string {
  return name.toLowerCase()
}
