/** Checks in the form of the contract: a task with the row of the check. */
import type { CheckSummary } from '../../contract/services/checks.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { isCheckKind } from '../../contract/shapes/taskKinds.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { CheckRow } from './preservation.sql.ts'

/** Joins a task of a check with its row. */
export function summaryOf({ kind, ...task }: TaskSummary, row: CheckRow): CheckSummary {
  if (!isCheckKind(kind)) throw new Error(`task ${task.task} is no check`)
  return { ...task, kind, replicas: replicasOf(row), files: row.filesPattern, sample: row.sample }
}

/** Replicas of a check, stored as a JSON list. */
export function replicasOf({ replicas }: Pick<CheckRow, 'replicas'>): string[] {
  return JSON.parse(replicas) as string[]
}

/** What a check examines, for users: its replicas, and which files when these are not all. */
export function subjectOf(check: Pick<CheckSummary, 'replicas' | 'files' | 'sample'>): Message {
  const { files: pattern, sample } = check
  const inReplicas = message('check.subject', { replicas: check.replicas.join(', ') })
  const ofPattern = pattern === null ? inReplicas : message('check.subject.pattern', { what: inReplicas, pattern })
  return sample === null ? ofPattern : message('check.subject.sample', { what: ofPattern, sample })
}
