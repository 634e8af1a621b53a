/**
 * States of a task: anything that is started, reports progress, is paused or stopped, ends and survives a restart. All kinds of tasks
 * share this table; what a kind does in between is its stage (`shapes/taskKinds.ts`).
 */
import { stateTable, type StateRow } from './stateTable.ts'

/**
 * `active`: a process works on it, or will in a moment; when the process dies, the next start settles it. `paused`: no process works on
 * it until it is resumed. `ended`: it has a result. Some ended tasks can be resumed.
 */
export type TaskPhase = 'active' | 'paused' | 'ended'

/**
 * What the schedule of its kind does about the last task. `waits`: nothing while it runs. `resumes`: resumes it at once. `retries`: resumes
 * it after a while, or starts another one once it has failed for a full interval. `replaces`: starts another one once it has been paused for
 * a full interval. `repeats`: starts another one a full interval after its end.
 */
export type ScheduledStep = 'waits' | 'resumes' | 'retries' | 'replaces' | 'repeats'

interface TaskRow extends StateRow {
  phase: TaskPhase
  schedule: ScheduledStep
}

/** Moves of a task whose work ends by itself. */
const finishing = {
  finished: { to: 'DONE', owner: 'task' },
  finishedWithFindings: { to: 'DONE_WITH_FINDINGS', owner: 'task' },
  finishedInPart: { to: 'DONE_INCOMPLETE', owner: 'task' },
  failed: { to: 'FAILED', owner: 'task' },
  // No one needs the result any more.
  unneeded: { to: 'STOPPED', owner: 'task' },
} as const

/** Moves of a task that ended before its work was done, where its kind can continue it. */
const resuming = {
  resume: { to: 'RUNNING', owner: 'user' },
  autoResume: { to: 'RUNNING', owner: 'schedule' },
} as const

const rows = {
  WAITING: {
    phase: 'active',
    schedule: 'waits',
    tone: 'waiting',
    on: {
      begun: { to: 'RUNNING', owner: 'task' },
      stop: { to: 'STOPPING', owner: 'user' },
      failed: { to: 'FAILED', owner: 'task' },
      interrupted: { to: 'INTERRUPTED', owner: 'recovery' },
    },
  },
  RUNNING: {
    phase: 'active',
    schedule: 'waits',
    tone: 'running',
    on: {
      ...finishing,
      pause: { to: 'PAUSING', owner: 'user' },
      stop: { to: 'STOPPING', owner: 'user' },
      interrupted: { to: 'INTERRUPTED', owner: 'recovery' },
    },
  },
  PAUSING: {
    phase: 'active',
    schedule: 'waits',
    tone: 'waiting',
    on: {
      // The work may end before the pause takes effect.
      ...finishing,
      paused: { to: 'PAUSED', owner: 'task' },
      stop: { to: 'STOPPING', owner: 'user' },
      interrupted: { to: 'PAUSED', owner: 'recovery' },
    },
  },
  PAUSED: {
    phase: 'paused',
    schedule: 'replaces',
    tone: 'waiting',
    on: { resume: { to: 'RUNNING', owner: 'user' }, stop: { to: 'STOPPED', owner: 'user' } },
  },
  STOPPING: {
    phase: 'active',
    schedule: 'waits',
    tone: 'waiting',
    on: {
      // The work may end before the stop takes effect; its result is kept then.
      ...finishing,
      stopped: { to: 'STOPPED', owner: 'task' },
      interrupted: { to: 'STOPPED', owner: 'recovery' },
    },
  },
  DONE: { phase: 'ended', schedule: 'repeats', tone: 'done', on: {} },
  DONE_WITH_FINDINGS: {
    phase: 'ended',
    schedule: 'repeats',
    tone: 'attention',
    on: {},
  },
  DONE_INCOMPLETE: {
    phase: 'ended',
    schedule: 'repeats',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    phase: 'ended',
    schedule: 'repeats',
    tone: 'attention',
    on: resuming,
  },
  INTERRUPTED: {
    phase: 'ended',
    schedule: 'resumes',
    tone: 'attention',
    on: resuming,
  },
  FAILED: {
    phase: 'ended',
    schedule: 'retries',
    tone: 'failed',
    on: resuming,
  },
} as const satisfies Record<string, TaskRow>

export const taskStates = stateTable('taskStates', 'WAITING', rows)
export type TaskState = (typeof taskStates.states)[number]
export type TaskEvent = (typeof taskStates.moves)[number]['event']

/** Whether a process works on the task, or will in a moment. */
export function isActiveTask(state: TaskState): boolean {
  return rows[state].phase === 'active'
}

export const activeTaskStates: readonly TaskState[] = taskStates.states.filter(isActiveTask)

/** States of a task that has done all that was asked, whatever it found. A task that could not include something is not among them. */
export const wholeTaskStates: readonly TaskState[] = [finishing.finished.to, finishing.finishedWithFindings.to]

/** Whether the task has done all that was asked, whatever it found. */
export function isWholeTask({ state }: { state: TaskState }): boolean {
  return wholeTaskStates.includes(state)
}

/** Returns what the schedule of its kind does about a task in this state. */
export function scheduledStep(state: TaskState): ScheduledStep {
  return rows[state].schedule
}

/** Whether the task has a result. */
export function isEndedTask(state: TaskState): boolean {
  return rows[state].phase === 'ended'
}
