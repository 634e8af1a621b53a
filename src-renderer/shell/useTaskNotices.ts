/** Tells the user when a task that they started has ended. */
import { useEffect } from 'react'
import { taskStates } from '../../src-main/contract/states/taskStates.ts'
import { showDesktopNotice } from '../parts/desktopNotice.ts'
import { taskName } from '../screens/tasks/taskName.ts'
import { useSession } from '../state/session.tsx'
import { useWords } from '../words/words.tsx'
import { isNoticed } from './taskNotices.ts'

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
