/** Opens the panel of tasks, and shows how many are running. */
import { Indicator } from '@mantine/core'
import { ListTodo } from 'lucide-react'
import { useStore } from 'zustand'
import { useTitleCount } from '../parts/windowTitle.ts'
import { useRunningJobs } from '../screens/tasks/useRunningJobs.ts'
import { valueOf } from '../state/loaded.ts'
import { useSession } from '../state/session.tsx'
import { useWords } from '../words/words.tsx'
import styles from './shell.module.css'

export function TasksButton() {
  const t = useWords()
  const { dialogs, tasks: store } = useSession()
  const { tasks } = useStore(store)
  const jobs = useRunningJobs()
  const active = jobs.length + (valueOf(tasks) ?? []).filter(({ ended }) => ended === null).length
  useTitleCount(active)
  return (
    <button
      type="button"
      className={`rail-link ${styles.railTasks}`}
      aria-description={active > 0 ? t('rail.tasks.active', { count: active }) : undefined}
      onClick={() => dialogs.getState().show('tasks')}
    >
      <Indicator label={active} disabled={active === 0} size={16} offset={2}>
        <ListTodo size={22} aria-hidden />
      </Indicator>
      {t('rail.tasks')}
    </button>
  )
}
