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
  resume: { to: 'RUNNING', owner: 'person' },
  takenUp: { to: 'RUNNING', owner: 'schedule' },
} as const

const rows = {
  WAITING: {
    phase: 'active',
    tone: 'waiting',
    on: {
      begun: { to: 'RUNNING', owner: 'task' },
      stop: { to: 'STOPPING', owner: 'person' },
      failed: { to: 'FAILED', owner: 'task' },
      interrupted: { to: 'INTERRUPTED', owner: 'recovery' },
    },
  },
  RUNNING: {
    phase: 'active',
    tone: 'running',
    on: {
      ...finishing,
      pause: { to: 'PAUSING', owner: 'person' },
      stop: { to: 'STOPPING', owner: 'person' },
      interrupted: { to: 'INTERRUPTED', owner: 'recovery' },
    },
  },
  PAUSING: {
    phase: 'active',
    tone: 'waiting',
    on: {
      // The work may end before the pause takes effect.
      ...finishing,
      paused: { to: 'PAUSED', owner: 'task' },
      stop: { to: 'STOPPING', owner: 'person' },
      interrupted: { to: 'PAUSED', owner: 'recovery' },
    },
  },
  PAUSED: {
    phase: 'paused',
    tone: 'waiting',
    on: { resume: { to: 'RUNNING', owner: 'person' }, stop: { to: 'STOPPED', owner: 'person' } },
  },
  STOPPING: {
    phase: 'active',
    tone: 'waiting',
    on: {
      // The work may end before the stop takes effect; its result is kept then.
      ...finishing,
      stopped: { to: 'STOPPED', owner: 'task' },
      interrupted: { to: 'STOPPED', owner: 'recovery' },
    },
  },
  DONE: { phase: 'ended', tone: 'done', on: {} },
  DONE_WITH_FINDINGS: {
    phase: 'ended',
    tone: 'attention',
    on: {},
  },
  DONE_INCOMPLETE: {
    phase: 'ended',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    phase: 'ended',
    tone: 'attention',
    on: resuming,
  },
  INTERRUPTED: {
    phase: 'ended',
    tone: 'attention',
    on: resuming,
  },
  FAILED: {
    phase: 'ended',
    tone: 'failed',
    on: resuming,
  },
} as const satisfies Record<string, StateRow & { phase: TaskPhase }>

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

/** Whether the task has a result. */
export function isEndedTask(state: TaskState): boolean {
  return rows[state].phase === 'ended'
}
