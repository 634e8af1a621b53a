/** Tasks: everything that is started, reports progress, is paused or stopped, ends and survives a restart. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { call, event } from '../calls/service.ts'
import { count, messageShape, time } from '../shapes/shapes.ts'
import { taskKindNames, taskStageNames, taskStarters } from '../shapes/taskKinds.ts'
import { taskStates } from '../states/taskStates.ts'

const taskNumber = z.int().min(1)

/** Shape of a task with its progress and result. Kinds with more to show extend it. */
export const taskSummary = z.object({
  task: taskNumber,
  kind: z.enum(taskKindNames),
  /** What the task works on, as in "job 3 to /home/me/job-3.wacz". */
  subject: messageShape,
  state: z.enum(taskStates.states),
  /** The part of the work that is in progress, or was when the task ended. Null: this kind has no stages. */
  stage: z.enum(taskStageNames).nullable(),
  /** Who started the task, or resumed it last. */
  startedBy: z.enum(taskStarters),
  started: time,
  /** Null while the task is active or paused. */
  ended: time.nullable(),
  /** Time spent working, by the monotonic clock; pauses are not counted. */
  runningMs: count,
  filesDone: count,
  filesTotal: count,
  bytesDone: count,
  bytesTotal: count,
  /** Problems found by the work itself, such as damaged files. */
  findings: count,
  /** Further numbers of this kind, by name. */
  figures: z.record(z.string(), count),
  /** Why the task failed or was interrupted; null otherwise. */
  problem: messageShape.nullable(),
  /** Fault code of the problem, as a call would return it. */
  code: z.enum(faultCodes).nullable(),
  canStop: z.boolean(),
  canPause: z.boolean(),
  canResume: z.boolean(),
})
export type TaskSummary = z.output<typeof taskSummary>

const oneTask = z.strictObject({ task: taskNumber })

export const taskCalls = {
  /** Newest first. */
  list: call(
    z.strictObject({ kind: z.enum(taskKindNames).optional(), limit: z.int().min(1).max(1_000).default(200) }),
    z.array(taskSummary),
  ),
  /** Resolves when the task has stopped; a task that ends meanwhile keeps its result. Refused when it has ended already. */
  stop: call(oneTask, taskSummary),
  /** Resolves when the task has paused. Refused for kinds that cannot continue. */
  pause: call(oneTask, taskSummary),
  /** Continues a task that was paused, stopped or interrupted, or that failed. Refused for kinds that cannot continue. */
  resume: call(oneTask, taskSummary),
  /** Progress, a few times per second and task, and always its start and its end. */
  changed: event(taskSummary),
}
