/** What a job lives through, in the history: written in the transaction of the move that it tells. */
import type { ActivityKind } from '../../contract/services/history.ts'
import type { jobStates } from '../../contract/states/states.ts'
import type { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { historyWriter, jobIdentifier } from './activities.ts'

type JobState = (typeof jobStates.states)[number]
type JobEvent = (typeof jobStates.moves)[number]['event']
type JobMove = ReturnType<typeof mover<JobState, JobEvent>>

/** Moves that are news, by event; where the state that they lead to decides, by how its name begins. */
const news: Partial<Record<JobEvent, ActivityKind | readonly [stateBegins: string, ActivityKind][]>> = {
  seeded: 'jobStart',
  resumed: 'jobContinue',
  drained: [
    ['READYFOR', 'jobStop'],
    ['PAUSED', 'jobWait'],
    ['ACTIVEWAIT', 'jobWait'],
  ],
  // It waits for its window already, so nothing of it drains.
  pause: [['PAUSED', 'jobWait']],
  notified: 'jobEnd',
  // While its files are being stored nothing of it drains.
  abort: [['INACTIVE', 'jobEnd']],
}

interface JobNow {
  stopReason: string | null
  errorText: string | null
}

/** The same moves, each with its entry in the history. */
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
