/** Compares the running time that the engine reports for each run, and the time limit that it applies, with the time for which the
 *  run was really active: measured from outside by the monotonic clock, without the time in which the machine was suspended. */
import { phaseOf, type JobState } from '../contract/states/jobStates.ts'
import type { Store } from '../storage/storage.ts'
import type { HarvestOptions } from './plan.ts'

/** The comparison of one harvest. */
export interface RunTimes {
  /** Called after every step with `clock.elapsed()` of the machine. */
  measure(elapsedMs: number): void
  /** Called after a suspend that the monotonic clock has counted. */
  suspended(durationMs: number): void
  /** Called when the engine was closed or the power was cut. */
  stopped(): void
  violations(): string[]
  /** The stop reasons of all runs so far. */
  readonly stopReasons: ReadonlySet<string>
}

/** What the engine reports of the job. */
interface Row {
  state: JobState
  run: number
  runningMs: number
  segments: number
  stopReason: string | null
}

/** Measurements of the current run. */
interface Measured {
  run: number
  activeMs: number
  segments: number
  /** How often the engine was closed or the power was cut during the run. */
  stops: number
  /** How often the machine was suspended during the run. */
  suspends: number
  isStopSeen: boolean
}

/** The engine checks every second whether five seconds of running time are still to be stored, so a power cut loses at most this. */
const unstoredMsMax = 6_000
/** The engine may count this much of each suspend as running time. */
const suspendMsMax = 5_000
/** Error of the measurement per segment: the state is read at intervals, and a segment ends only after its files are closed. */
const segmentMsMax = 1_500

/** Returns a comparison for one job; `maxSeconds` is its time limit. */
export function runTimesOf(
  store: Store,
  job: number,
  { maxSeconds = Infinity }: Pick<HarvestOptions, 'maxSeconds'>,
): RunTimes {
  const violations = new Map<string, string>()
  const stopReasons = new Set<string>()
  const row = store.statement<{ job: number }, Row>(
    `SELECT state, run, running_ms AS runningMs, segments, stop_reason AS stopReason FROM job WHERE id = @job`,
  )
  let measured = newlyMeasured(1)
  let before: { elapsedMs: number; isWorking: boolean } | undefined

  const moreMsMax = () => segmentMsMax * (1 + measured.segments) + suspendMsMax * measured.suspends
  const lessMsMax = () => segmentMsMax * (1 + measured.segments) + unstoredMsMax * (1 + measured.stops)

  /** Keeps the first violation of each kind and run: the following ones would only repeat it with other numbers. */
  function addViolation(kind: string, run: number, text: string): void {
    const key = `${kind} ${run}`
    if (!violations.has(key)) violations.set(key, `Run ${run} ${text}.`)
  }

  function judge({ run, runningMs, stopReason }: Row): void {
    const { activeMs } = measured
    const reportedText = `reports a running time of ${runningMs} ms`
    const activeText = `${Math.round(activeMs)} ms`
    if (runningMs > activeMs + moreMsMax())
      addViolation('more', run, `${reportedText}, and was active for only ${activeText}`)
    if (runningMs < activeMs - lessMsMax())
      addViolation('less', run, `${reportedText}, and was active for ${activeText}`)
    if (activeMs - lessMsMax() > maxSeconds * 1000)
      addViolation('late', run, `goes on after ${activeText}, and its limit is ${maxSeconds} s`)
    if (stopReason === null || measured.isStopSeen) return
    measured.isStopSeen = true
    stopReasons.add(stopReason)
    if (stopReason === 'TIME_LIMIT' && activeMs + moreMsMax() < maxSeconds * 1000)
      addViolation('early', run, `reached its limit of ${maxSeconds} s after only ${activeText}`)
  }

  return {
    measure(elapsedMs) {
      const now = row.get({ job })
      if (!now) return
      if (now.run !== measured.run) measured = newlyMeasured(now.run)
      else if (before?.isWorking) measured.activeMs += elapsedMs - before.elapsedMs
      // Until a new segment begins, a machine that was just switched on is still recovering what the last one left.
      const isBegun = now.segments > measured.segments || (before?.isWorking ?? false)
      measured.segments = now.segments
      before = { elapsedMs, isWorking: isBegun && phaseOf(now.state) === 'working' }
      judge(now)
    },
    suspended(durationMs) {
      measured.suspends += 1
      if (before) before.elapsedMs += durationMs
    },
    stopped() {
      measured.stops += 1
      before = undefined
    },
    violations: () => [...violations.values()],
    stopReasons,
  }
}

function newlyMeasured(run: number): Measured {
  return { run, activeMs: 0, segments: 0, stops: 0, suspends: 0, isStopSeen: false }
}
