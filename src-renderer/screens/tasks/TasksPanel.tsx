/** What runs and what has ended lately, over any screen: harvests, and tasks of every kind. */
import { Drawer } from '@mantine/core'
import { useStore } from 'zustand'
import type { TaskSummary } from '../../../src-main/contract/services/tasks.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { RunningJob } from './RunningJob.tsx'
import { EndedTask, UnendedTask } from './TaskItem.tsx'
import { useRunningJobs } from './useRunningJobs.ts'
import styles from './tasks.module.css'

export function TasksPanel({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('tasks.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Tasks onLeave={onClose} />
    </Drawer>
  )
}

function Tasks({ onLeave }: { onLeave: () => void }) {
  const { tasks: store } = useSession()
  const { tasks, load, refusal } = useStore(store)
  return (
    <>
      {refusal && <FaultNote fault={refusal} />}
      <Await of={tasks} onRetry={() => void load()}>
        {(list) => <Lists list={list} onLeave={onLeave} />}
      </Await>
    </>
  )
}

function Lists({ list, onLeave }: { list: readonly TaskSummary[]; onLeave: () => void }) {
  const t = useWords()
  const jobs = useRunningJobs()
  const unended = list.filter(({ ended }) => ended === null)
  const ended = list.filter((task) => task.ended !== null)
  const isIdle = jobs.length + unended.length === 0
  return (
    <>
      <section aria-label={t('tasks.running')} className={styles.list}>
        <h2>{t('tasks.running')}</h2>
        {isIdle && <EmptyState title={t('tasks.idle')} text={t('tasks.idle.text')} />}
        <ul>
          {jobs.map((job) => (
            <RunningJob key={`job ${job.job}`} job={job} onLeave={onLeave} />
          ))}
          {unended.map((task) => (
            <UnendedTask key={task.task} task={task} onLeave={onLeave} />
          ))}
        </ul>
      </section>
      {ended.length > 0 && (
        <section aria-label={t('tasks.ended')} className={styles.list}>
          <h2>{t('tasks.ended')}</h2>
          <ul>
            {ended.map((task) => (
              <EndedTask key={task.task} task={task} onLeave={onLeave} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
