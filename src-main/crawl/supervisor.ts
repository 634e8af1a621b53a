/** Starts, stops and watches the loops of the engine. Each is small and alone responsible for its moves (`loops/`); they learn
 *  what to do from the states in the database and from nothing else, so a start after a kill needs no special
 *  case: recovery runs first. A loop that fails is reported and started again after a pause. */
import { message, type Message } from '../contract/words/message.ts'
import { loopMonitor, type LoopMonitor } from '../tasks/loopMonitor.ts'
import { clockStatements } from './model/clock.sql.ts'
import type { RunningJob } from './model/jobs.sql.ts'
import { pollMs } from './model/limits.ts'
import { assessmentLoop } from './loops/assessment.ts'
import { clockWatch, type ClockWatch, shiftBackUnseen, shiftDueTimes } from './loops/clockWatch.ts'
import { openEngine, describeError, type Engine, type EngineSetting, type Loop } from './loops/engine.ts'
import { jobStartLoop } from './loops/jobStart.ts'
import { historyCleanupLoop } from './loops/historyCleanup.ts'
import { cleanupLoop } from './loops/cleanup.ts'
import { secretErasureLoop } from './loops/secretErasure.ts'
import { documentDeleteLoop } from './loops/documentDelete.ts'
import { expiryLoop } from './loops/expiry.ts'
import { jobDeleteLoop } from './loops/jobDelete.ts'
import { feederLoop } from './loops/feeder.ts'
import { notificationLoop } from './loops/notification.ts'
import { restWatch } from './loops/rest.ts'
import { recover } from './loops/recovery.ts'
import { resetLoop } from './loops/reset.ts'
import { seedingLoop } from './loops/seeding.ts'
import { setPriorityLoop } from './loops/setPriority.ts'
import { spaceLoop } from './loops/space.ts'
import { startDeleteLoop } from './loops/startDelete.ts'
import { startupLoop } from './loops/startup.ts'
import { stufferLoop } from './loops/stuffer.ts'
import { workersLoop } from './loops/workers.ts'

type OpenLoop = (engine: Engine) => Loop

/** Every loop there is, by whose name the state tables call the owners of their moves. In each round they are looked at in
 *  this order. */
export const everyLoop: readonly OpenLoop[] = [
  jobStartLoop,
  startupLoop,
  assessmentLoop,
  seedingLoop,
  workersLoop,
  setPriorityLoop,
  stufferLoop,
  feederLoop,
  spaceLoop,
  expiryLoop,
  cleanupLoop,
  resetLoop,
  startDeleteLoop,
  documentDeleteLoop,
  jobDeleteLoop,
  notificationLoop,
  historyCleanupLoop,
  secretErasureLoop,
]

/** Interval at which the loops are reported. */
const loopsEveryMs = 2_000

/** Rest of a loop after its first failure in a row; doubled for each further one. */
const restMsMin = 1_000
const restMsMax = 60_000

/** Ends when the signal is aborted and nothing is under way any more. */
export async function supervise(setting: EngineSetting, loops = everyLoop): Promise<void> {
  await setting.world.disk.makeFolder(setting.folder)
  // Before the recovery, in which the clock may be set too.
  const clock = clockWatch(setting)
  shiftBackUnseen({ ...setting, sql: clockStatements(setting.store) })
  try {
    const engine = openEngine(setting)
    await recover(engine)
    await rounds(engine, loops, clock)
  } finally {
    await setting.sequenceMark.close()
  }
}

/** Until the engine is closed. */
async function rounds(engine: Engine, loops: readonly OpenLoop[], clock: ClockWatch): Promise<void> {
  const { signal, alarm, jobWork } = engine
  const monitor = loopMonitor(engine.world.clock)
  const watched = loops.map((open) => watch(engine, open(engine), monitor))
  const noteWork = restWatch(engine.world, () => {
    engine.world.memory.release()
    engine.onRest?.()
  })
  let reportedMs = -Infinity
  try {
    while (!signal.aborted) {
      const byMs = clock.deviationMs()
      if (byMs !== 0) shiftDueTimes(engine, byMs)
      const running = engine.running()
      jobWork.stopThoseWhoseJobLeft(running)
      noteWork(running.length > 0)
      for (const loop of watched) loop.startIfDue(running)
      void engine.sequenceMark.note()
      await alarm.wait(pollMs)
      if (engine.world.clock.elapsed() - reportedMs >= loopsEveryMs) {
        reportedMs = engine.world.clock.elapsed()
        engine.onLoops?.(monitor.list())
      }
    }
  } finally {
    // However the rounds end, no loop may continue: the database is about to be closed.
    await Promise.all([jobWork.end(), ...watched.map(({ underWay }) => underWay())])
  }
}

interface Watched {
  startIfDue(running: readonly RunningJob[]): void
  /** Resolves when its pass is over. */
  underWay(): Promise<void>
}

/** One pass of a loop at a time, not before its rest is over. */
function watch({ world, signal, onProblem }: Engine, loop: Loop, monitor: LoopMonitor): Watched {
  let dueMs = -Infinity
  let failures = 0
  let pass: Promise<void> | undefined

  function noteFailure(error: unknown): Message | undefined {
    if (signal.aborted) return undefined
    const restMs = Math.min(restMsMax, restMsMin * 2 ** failures)
    failures += 1
    dueMs = world.clock.elapsed() + restMs
    const { message: problem, code } = describeError(error)
    const seconds = restMs / 1000
    onProblem({ message: message('engine.loopFailed', { loop: loop.name, seconds, problem }), code, job: null })
    return problem
  }

  async function once(running: readonly RunningJob[]): Promise<void> {
    dueMs = world.clock.elapsed() + (loop.everyMs ?? 0)
    const end = monitor.pass(loop.name)
    try {
      await loop.pass(running)
      failures = 0
      end()
    } catch (error) {
      end(noteFailure(error))
    }
  }

  return {
    startIfDue(running) {
      if (pass || world.clock.elapsed() < dueMs) return
      pass = once(running).finally(() => {
        pass = undefined
      })
    },
    underWay: async () => pass,
  }
}
