/** The name of a task: its kind, and what it works on. */
import type { TaskSummary } from '../../../src-main/contract/services/tasks.ts'
import { taskKinds } from '../../../src-main/contract/shapes/taskKinds.ts'
import type { Translate } from '../../words/words.tsx'

export function taskName(t: Translate, { kind, subject }: Pick<TaskSummary, 'kind' | 'subject'>): string {
  const name = t('tasks.name', { kind: t(taskKinds[kind]), subject: t(subject) })
  return name.charAt(0).toLocaleUpperCase() + name.slice(1)
}
