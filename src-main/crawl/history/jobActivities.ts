/** Records moves of a job in the history, in the transaction of the move. */
import type { ActivityKind } from '../../contract/services/history.ts'
import { phaseOf, type JobEvent, type JobState, type Phase } from '../../contract/states/jobStates.ts'
import type { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { historyWriter, jobIdentifier } from './activities.ts'

/** Moves a job. Returns the new state, or undefined if the table refuses the event. */
export type JobMove = ReturnType<typeof mover<JobState, JobEvent>>

/** The kind of activity recorded for an event, where it depends on the new state, by the phase of that state. */
const activityOf: Partial<Record<JobEvent, ActivityKind | Partial<Record<Phase, ActivityKind>>>> = {
  seeded: 'jobStart',
  resumed: 'jobContinue',
  drained: { starting: 'jobStop', ending: 'jobStop', waiting: 'jobWait' },
  // A job that waits for its window is paused without draining.
  pause: { waiting: 'jobWait' },
  notified: 'jobEnd',
  // A job whose files are being stored is aborted without draining.
  abort: { resting: 'jobEnd' },
}

interface JobNow {
  stopReason: string | null
  errorText: string | null
}

/** Wraps a mover of jobs so that it also adds to the history. */
export function movesWithHistory(store: Store, clock: Clock, move: JobMove): JobMove {
  const add = historyWriter(store)
  const jobNow = store.statement<{ job: number }, JobNow>(
    `SELECT stop_reason AS stopReason, error_text AS errorText FROM job WHERE id = @job`,
  )
  return (job, event) =>
    store.transaction(() => {
      const state = move(job, event)
      const kind = state && kindOf(event, state)
      if (!kind) return state
      const nowMs = clock.now()
      const { stopReason, errorText } = jobNow.get({ job }) ?? nothing
      const isEnd = kind === 'jobEnd'
      add({
        kind,
        job,
        startMs: nowMs,
        durationMs: 0,
        identifier: jobIdentifier(job),
        result: isEnd ? (errorText === null ? (stopReason ?? state) : 'ERROR') : state,
        description: errorText,
      })
      return state
    })
}

const nothing: JobNow = { stopReason: null, errorText: null }

function kindOf(event: JobEvent, state: JobState): ActivityKind | undefined {
  const recordedAs = activityOf[event]
  return typeof recordedAs === 'object' ? recordedAs[phaseOf(state)] : recordedAs
}
