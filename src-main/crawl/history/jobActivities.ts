/** Records moves of a job in the history, in the transaction of the move. */
import type { ActivityKind } from '../../contract/services/history.ts'
import type { jobStates } from '../../contract/states/states.ts'
import type { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { historyWriter, jobIdentifier } from './activities.ts'

type JobState = (typeof jobStates.states)[number]
type JobEvent = (typeof jobStates.moves)[number]['event']
type JobMove = ReturnType<typeof mover<JobState, JobEvent>>

/** The kind of activity recorded for an event. Where it depends on the new state, it is chosen by the prefix of the state's name. */
const news: Partial<Record<JobEvent, ActivityKind | readonly [stateBegins: string, ActivityKind][]>> = {
  seeded: 'jobStart',
  resumed: 'jobContinue',
  drained: [
    ['READYFOR', 'jobStop'],
    ['PAUSED', 'jobWait'],
    ['ACTIVEWAIT', 'jobWait'],
  ],
  // A job that waits for its window is paused without draining.
  pause: [['PAUSED', 'jobWait']],
  notified: 'jobEnd',
  // A job whose files are being stored is aborted without draining.
  abort: [['INACTIVE', 'jobEnd']],
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
  const recordedAs = news[event]
  if (recordedAs === undefined || typeof recordedAs === 'string') return recordedAs
  return recordedAs.find(([begins]) => state.startsWith(begins))?.[1]
}
