/** The state of an import as a task, by the state of its job. Pure: the transaction is in `importTask.ts`. */
import { abortGoalOf, phaseOf, statesBefore } from '../../contract/states/jobStates.ts'
import { isEndedTask, taskStates, type TaskEvent, type TaskState } from '../../contract/states/taskStates.ts'
import type { JobRow } from '../model/jobs.sql.ts'

/** What decides the state of the task. */
export type ImportJob = Pick<
  JobRow,
  'state' | 'endedMs' | 'stopReason' | 'errorText' | 'filesRefused' | 'filesWithErrors' | 'truncated'
>

const waitsForStart = statesBefore('startupTaken')

/** Returns the state that the task should have; undefined where it keeps the one that it has. */
export function taskStateOf(job: ImportJob): TaskState | undefined {
  const goal = abortGoalOf(job.state)
  if (goal === 'rest') return 'STOPPING'
  if (goal === 'restart') return 'RUNNING'
  switch (phaseOf(job.state)) {
    case 'starting':
      // After a kill, an import waits for its start again; meanwhile its task is one that continues by itself.
      return waitsForStart.includes(job.state) ? undefined : 'RUNNING'
    case 'working':
      return 'RUNNING'
    case 'draining':
      return 'PAUSING'
    case 'waiting':
      return 'PAUSED'
    case 'resting':
      return job.endedMs === null ? undefined : endOf(job)
    case 'ending':
    case 'deleting':
      return undefined
  }
}

function endOf({ errorText, stopReason, filesRefused, filesWithErrors, truncated }: ImportJob): TaskState {
  if (errorText !== null) return 'FAILED'
  if (stopReason === 'DOWNLOAD_UNFINISHED') return 'STOPPED'
  if (filesRefused > 0) return 'DONE_INCOMPLETE'
  return filesWithErrors + truncated > 0 ? 'DONE_WITH_FINDINGS' : 'DONE'
}

/** Returns the shortest sequence of events that leads from one state to the other, through no other end; undefined if there is none. A
 *  job may skip states of a task: one whose files are being stored stops at once. */
export function eventsBetween(from: TaskState, to: TaskState): TaskEvent[] | undefined {
  const reached: { state: TaskState; events: TaskEvent[] }[] = [{ state: from, events: [] }]
  // The list grows while it is read: a breadth-first search.
  for (const { state, events } of reached) {
    if (state === to) return events
    if (events.length > 0 && isEndedTask(state)) continue
    for (const move of taskStates.moves) {
      if (move.from !== state || reached.some((known) => known.state === move.to)) continue
      reached.push({ state: move.to, events: [...events, move.event] })
    }
  }
  return undefined
}
