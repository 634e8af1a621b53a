/** What a kind of task gives to the tasks, and what it gets from them. */
import type { FaultCode } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import type { TaskStage, TaskStarter } from '../contract/shapes/taskKinds.ts'
import type { TaskEvent } from '../contract/states/taskStates.ts'
import type { Message } from '../contract/words/message.ts'

/** How far a task has come. All numbers are of the whole task, also after it was resumed. */
export interface Progress {
  filesDone: number
  filesTotal: number
  bytesDone: number
  bytesTotal: number
  /** Problems found by the work itself. */
  findings: number
  /** Further numbers of the kind, by name. */
  figures: Readonly<Record<string, number>>
}

export const noProgress: Progress = {
  filesDone: 0,
  filesTotal: 0,
  bytesDone: 0,
  bytesTotal: 0,
  findings: 0,
  figures: {},
}

/** A task while it is worked on. */
export interface Task {
  readonly id: number
  /** Aborted when the task is stopped or paused, or the engine is closed; perhaps before the work begins. The work then rejects with
   *  the reason of the signal, or with any `AbortError`. */
  readonly signal: AbortSignal
  /** Reports progress. Listeners get it a few times a second; the database gets it every few seconds and at the end, so it may be
   *  called as often as anything happens. */
  progress(changed: Partial<Progress>): void
  /** Enters a stage. Listeners get it at once, and it is in the database when this returns. */
  stage(stage: TaskStage): void
  /** Writes the progress to the database now, for work that records its own results in the same transaction. */
  save(): void
}

/** The result of the work. `unneeded`: it ended early because no one needs its result any more. `record` writes what only this kind has,
 *  in the transaction that ends the task. */
export type Ending =
  | { event: 'finished' | 'finishedWithFindings' | 'finishedInPart' | 'unneeded'; record?: () => void }
  | { event: 'failed'; code: FaultCode; problem: Message; record?: () => void }

/** The work of a task. A `Fault` that it throws becomes the end "failed"; any other error is a bug. */
export type Work = (task: Task) => Promise<Ending>

/** A task that is about to begin. */
export interface TaskOrder extends Partial<Progress> {
  /** What the task works on, for users. */
  subject: Message
  startedBy: TaskStarter
  stage?: TaskStage
  /** The work begins when this has resolved; until then the task waits. */
  after?: Promise<unknown>
  /** Writes what only this kind has, in the transaction that adds the task. */
  record?: (id: number) => void
}

/** Who resumes a task: the user, or the schedule of its kind. */
export type Resumer = Extract<TaskStarter, 'user' | 'schedule'>

export type TaskAction = 'stop' | 'pause' | 'resume'

/** What the part of Loupe that does the work of a kind gives to the tasks. */
export interface Elsewhere {
  /** False in a process in which that part does not run: requests are recorded, and have their effect later. */
  isRunning: boolean
  /** The actions that are possible now. */
  allowed(task: number): Pick<TaskSummary, 'canStop' | 'canPause' | 'canResume'>
  /** Records the request. Throws `Fault` refused. */
  act(task: number, action: TaskAction): void
}

/** What a kind of task decides for its tasks. */
export interface KindRules {
  /** Continues a task. Absent: its tasks cannot be paused or resumed. */
  resume?: Work
  /** Called before a task is resumed, to interrupt others that it would disturb. A `Fault` that it throws refuses the resumption. */
  beforeResume?: (task: TaskSummary, by: Resumer) => Promise<void>
  /** Called in the transaction of each move of a task, with the task after it, to record what only this kind records, such as entries of
   *  the audit log. A `Fault` thrown for `resume` or `autoResume` refuses the resumption. */
  onMove?: (task: TaskSummary, event: TaskEvent) => void
  /** Called when the kind is registered, for each task that the end of the last process interrupted: removes what it left, and returns
   *  what the user needs to know. */
  onInterrupted?: (task: TaskSummary) => Promise<Message | undefined>
  /** Maximum number of ended tasks of the kind that are kept, at least 1. When one begins, the oldest of the others are removed, with
   *  the rows that refer to them by ON DELETE CASCADE. Absent: all are kept. */
  endedMax?: number
  /** Present for a kind whose work another part of Loupe does: its tasks are moved by that part, and a start leaves them to it. */
  elsewhere?: Elsewhere
}
