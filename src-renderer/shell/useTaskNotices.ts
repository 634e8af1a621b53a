/** Tells the user when a task that they started has ended. */
import { useEffect } from 'react'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { taskStates } from '../../src-main/contract/states/taskStates.ts'
import { showDesktopNotice } from '../parts/desktopNotice.ts'
import { taskName } from '../screens/tasks/taskName.ts'
import { useSession } from '../state/session.tsx'
import { useWords } from '../words/words.tsx'

/** The end of a shorter task is seen where it was started. */
export const noticedMsMin = 5_000

export function useTaskNotices(): void {
  const t = useWords()
  const { services } = useSession()
  useEffect(
    () =>
      services.tasks.changed((task) => {
        if (!isNoticed(task)) return
        const { badge } = taskStates.rows[task.state]
        showDesktopNotice({ title: t(badge), message: taskName(t, task), isError: task.state === 'FAILED' })
      }),
    [services, t],
  )
}

/** Who stopped a task knows that it ended. An index is built whenever one is needed. */
export function isNoticed({ ended, startedBy, runningMs, state, kind }: TaskSummary): boolean {
  return ended !== null && startedBy === 'user' && runningMs >= noticedMsMin && state !== 'STOPPED' && kind !== 'index'
}
