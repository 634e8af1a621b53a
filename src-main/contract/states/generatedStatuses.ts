/**
 * Statuses of a job that a harvest generated (NetarchiveSuite, `JobStatus`). They are stored nowhere: `harvest/jobs/status.sql.ts` derives
 * them from the state of the engine's job and from what users decided about it.
 */
import { message, type Message, type MessageCode } from '../words/message.ts'
import { phaseOf, type JobState, type Phase } from './jobStates.ts'

interface GeneratedStatusRow {
  label: MessageCode
  /** What a user may do with the job: repeat it as a new job, give it up, or take that back. */
  actions: readonly GeneratedAction[]
}

/** Actions of users on generated jobs. */
export const generatedActions = ['resubmit', 'reject', 'unreject'] as const
export type GeneratedAction = (typeof generatedActions)[number]

const rows = {
  /** Generated, and not in the queue of its channel yet. */
  NEW: { label: 'generatedStatuses.new', actions: [] },
  /** In the queue of its channel, or taken and not begun. */
  SUBMITTED: { label: 'generatedStatuses.submitted', actions: ['resubmit'] },
  STARTED: { label: 'generatedStatuses.started', actions: [] },
  DONE: { label: 'generatedStatuses.done', actions: [] },
  FAILED: { label: 'generatedStatuses.failed', actions: ['resubmit', 'reject'] },
  /** Another job repeats it. */
  RESUBMITTED: { label: 'generatedStatuses.resubmitted', actions: [] },
  /** Failed, and a user decided that it is not repeated. */
  FAILED_REJECTED: { label: 'generatedStatuses.rejected', actions: ['unreject'] },
} as const satisfies Record<string, GeneratedStatusRow>

export type GeneratedStatus = keyof typeof rows
export const generatedStatuses = Object.keys(rows) as [GeneratedStatus, ...GeneratedStatus[]]

/** What the states of a phase mean for a generated job; undefined: it depends on what has been before. */
const statusOfPhase: Record<Phase, GeneratedStatus | undefined> = {
  resting: undefined,
  starting: 'STARTED',
  working: 'STARTED',
  draining: 'STARTED',
  waiting: 'STARTED',
  ending: 'STARTED',
  deleting: undefined,
}

/** States in which the engine has the job and has not begun with it. */
const takenStates: ReadonlySet<JobState> = new Set(['READYFORSTARTUP', 'READYFORSTARTUPMINIMAL'])

/** Returns the status of a generated job in this state of the engine; undefined where it depends on what has been before. */
export function generatedStatusIn(state: JobState): GeneratedStatus | undefined {
  return takenStates.has(state) ? 'SUBMITTED' : statusOfPhase[phaseOf(state)]
}

/** Returns what users may do with a job of this status. */
export function generatedActionsIn(status: GeneratedStatus): readonly GeneratedAction[] {
  return rows[status].actions
}

/** Returns the one or two words of a status. */
export function generatedLabel(status: GeneratedStatus): Message {
  return message(rows[status].label)
}
