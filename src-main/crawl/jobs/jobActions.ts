/** The actions that users request on jobs. A request moves the state and returns at once; the loops do the work. */
import { Fault } from '../../contract/calls/faults.ts'
import type { JobSummary } from '../../contract/services/jobSummary.ts'
import { abortGoalOf, type JobState } from '../../contract/states/jobStates.ts'
import { statusLabel } from '../../contract/states/jobStatuses.ts'
import { jobStates } from '../../contract/states/states.ts'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { JobMove } from '../history/jobActivities.ts'
import { jobLogOf } from '../model/jobLog.ts'
import { jobStatements, type JobRow } from '../model/jobs.sql.ts'
import { runEndStatements, runStartStatements } from '../model/runs.sql.ts'
import { keepsFiles } from './jobDefinition.ts'

/** Actions that a user can request. */
export type JobAction =
  | 'start'
  | 'startMinimal'
  | 'pause'
  | 'resume'
  | 'abort'
  | 'restart'
  | 'restartMinimal'
  | 'delete'

/** The state of a job before and after an action; the same if a repeated request has no further effect. */
export interface Acted {
  job: number
  from: JobState
  to: JobState
}

interface ActionParts {
  store: Store
  world: Pick<World, 'clock' | 'chance'>
  move: JobMove
  rowOf(job: number): JobRow
  summaryOf(row: JobRow): JobSummary
}

/** Returns a function that performs an action. It throws `Fault` refused if the state of the job does not allow it. */
export function jobActions({ store, world, move, rowOf, summaryOf }: ActionParts) {
  const { beginRun } = runStartStatements(store)
  const leaveStoring = storingLeaver(store, world)
  const refuse = refuserOf(store)
  const logs = jobLogOf(store)
  return (job: number, action: JobAction): Acted => {
    const row = rowOf(job)
    const { state: from, endedMs } = row
    if (isRequested(from, action)) return { job, from, to: from }
    refuse(row, action)
    const to = store.transaction(() => {
      if (action === 'abort') leaveStoring(rowOf(job))
      const moved = move(job, action)
      if (moved === undefined) return undefined
      if (isStart(action) && endedMs !== null) beginRun.run({ job, runId: world.chance.uuid() })
      logs.add({ job, nowMs: world.clock.now(), level: 'info', message: message(`jobLog.asked.${action}`) })
      return moved
    })
    if (to === undefined) throw new Fault('refused', refusalOf(job, action, summaryOf(rowOf(job))))
    return { job, from, to }
  }
}

/** Returns a function that refuses actions for reasons other than the state: an import runs once, the metadata of the last run
 *  are still being written, or files would be lost. A generated job runs once too: its harvest generates the next one. */
function refuserOf(store: Store) {
  const { unstored } = jobStatements(store)
  return ({ id: job, kind, isDescribed, definitionId, startedMs }: JobRow, action: JobAction): void => {
    if (kind === 'import' && isStart(action)) throw new Fault('refused', message('job.import.once', { job }))
    if (definitionId !== null && isNextRun(action, startedMs))
      throw new Fault('refused', message('job.generated.once', { job }))
    if (isDescribed === 0 && (isStart(action) || action === 'delete'))
      throw new Fault('refused', message('job.undescribed', { job }))
    if (action === 'delete' && (unstored.get({ job })?.count ?? 0) > 0)
      throw new Fault('refused', message('job.unstored', { job }))
  }
}

/** Returns a function that ends the storing of a job's files at the user's request, without waiting for every replica. Called
 *  before the state moves, because the history records why the job ended. */
function storingLeaver(store: Store, { clock }: Pick<World, 'clock'>): (row: JobRow) => void {
  const { leaveStoring } = runEndStatements(store)
  return (row) => {
    if (jobStates.next(row.state, 'abort') !== jobStates.initial) return
    leaveStoring.run({
      job: row.id,
      nowMs: clock.now(),
      text: keepsFiles(store, row) ? storedMessage(message('job.leftStoring')) : null,
    })
  }
}

/** Whether the action begins another run of a job. */
function isNextRun(action: JobAction, startedMs: number | null): boolean {
  return action === 'restart' || action === 'restartMinimal' || (isStart(action) && startedMs !== null)
}

function isStart(action: JobAction): boolean {
  return action === 'start' || action === 'startMinimal'
}

/** Tells whether the requested action is already in progress: a second stop changes nothing, and a second restart does not
 *  change the first request. */
function isRequested(state: JobState, action: JobAction): boolean {
  if (action === 'abort') return abortGoalOf(state) === 'rest'
  return (action === 'restart' || action === 'restartMinimal') && abortGoalOf(state) === 'restart'
}

function refusalOf(job: number, action: JobAction, { status }: JobSummary): Message {
  const able = jobStates.moves
    .filter((move) => move.event === action)
    .map((move) => textOf(jobStates.rows[move.from].badge))
  return message('job.notNow', {
    job,
    action: message(`job.action.${action}`),
    status: statusLabel(status),
    states: [...new Set(able)].join(', '),
  })
}
