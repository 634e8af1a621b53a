/** Kinds of tasks, and the stages that they go through while they run. A kind that moves in adds its row. */
import { message, type Message } from '../words/message.ts'

/** Kinds, each with its name for users. */
export const taskKinds = {
  missing: message('task.kind.missing'),
  checksums: message('task.kind.checksums'),
  spot: message('task.kind.spot'),
  export: message('task.kind.export'),
  batch: message('task.kind.batch'),
  upload: message('task.kind.upload'),
  index: message('task.kind.index'),
  import: message('task.kind.import'),
  pageAudit: message('task.kind.pageAudit'),
} as const satisfies Record<string, Message>

export type TaskKind = keyof typeof taskKinds
export const taskKindNames = Object.keys(taskKinds) as [TaskKind, ...TaskKind[]]

/** Kinds that check the copies in the replicas. */
export const checkKinds = ['missing', 'checksums'] as const satisfies readonly TaskKind[]
export type CheckKind = (typeof checkKinds)[number]

export function isCheckKind(kind: TaskKind): kind is CheckKind {
  return checkKinds.some((each) => each === kind)
}

/** Stages, each with the text of its badge. A stage is progress, not a state: nothing is decided by it. */
export const taskStages = {
  listing: message('task.stage.listing'),
  checking: message('task.stage.checking'),
  writing: message('task.stage.writing'),
  verifying: message('task.stage.verifying'),
  importing: message('task.stage.importing'),
  storing: message('task.stage.storing'),
} as const satisfies Record<string, Message>

export type TaskStage = keyof typeof taskStages
export const taskStageNames = Object.keys(taskStages) as [TaskStage, ...TaskStage[]]

/** Who began a task, or resumed it last: the user, the schedule of its kind, or Loupe when it opened the archive. */
export const taskStarters = ['user', 'schedule', 'recovery'] as const
export type TaskStarter = (typeof taskStarters)[number]
