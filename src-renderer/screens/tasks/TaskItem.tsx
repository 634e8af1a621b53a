/** One task among all: its progress and buttons while it is not ended, and its result afterwards. */
import { Alert } from '@mantine/core'
import { Pause, Play, Square, type LucideIcon } from 'lucide-react'
import { useStore } from 'zustand'
import type { TaskSummary } from '../../../src-main/contract/services/tasks.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { LongTask } from '../../parts/LongTask.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { progressOf, type TaskAction } from '../../state/tasks.ts'
import { useWords } from '../../words/words.tsx'
import { TaskLink } from './TaskLink.tsx'
import { taskName } from './taskName.ts'
import styles from './tasks.module.css'

interface TaskItemProps {
  task: TaskSummary
  /** Called when the user follows a link to another screen. */
  onLeave: () => void
}

export function UnendedTask({ task, onLeave }: TaskItemProps) {
  const t = useWords()
  const { tasks: store } = useSession()
  const { samples } = useStore(store)
  return (
    <li aria-label={taskName(t, task)}>
      <LongTask
        name={taskName(t, task)}
        badge={<TaskBadge task={task} />}
        {...progressOf(task)}
        running={task.state === 'RUNNING'}
        samples={samples[task.task] ?? []}
        actions={
          <>
            <TaskLink task={task} onLeave={onLeave} />
            <Actions task={task} />
          </>
        }
      />
    </li>
  )
}

export function EndedTask({ task, onLeave }: TaskItemProps) {
  const t = useWords()
  const { duration } = useFormats()
  const { ended, runningMs, problem } = task
  return (
    <li className="card" aria-label={taskName(t, task)}>
      <div className={styles.head}>
        <TaskBadge task={task} />
        <div className={styles.actions}>
          <TaskLink task={task} onLeave={onLeave} />
          <Actions task={task} />
        </div>
      </div>
      <p className="wrap">{taskName(t, task)}</p>
      {ended !== null && (
        <p className="dimmed">{t('tasks.endedAt', { time: timeUtc(ended), took: duration(runningMs / 1000) })}</p>
      )}
      {problem && (
        <Alert color={task.state === 'FAILED' ? 'red' : 'yellow'} mt="xs" p="xs">
          {t(problem)}
        </Alert>
      )}
    </li>
  )
}

const icons: Record<TaskAction, LucideIcon> = { pause: Pause, resume: Play, stop: Square }

/** The actions that the task allows. */
function Actions({ task }: { task: TaskSummary }) {
  const t = useWords()
  const { tasks: store } = useSession()
  const { act } = useStore(store)
  const allowed: Record<TaskAction, boolean> = {
    pause: task.canPause,
    resume: task.canResume,
    stop: task.canStop,
  }
  return (['pause', 'resume', 'stop'] as const).map((action) => {
    const Icon = icons[action]
    return (
      allowed[action] && (
        <ActionButton
          needs={`tasks.${action}`}
          key={action}
          size="compact-sm"
          variant="default"
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => void act(action, task.task)}
        >
          {t(`tasks.${action}`)}
        </ActionButton>
      )
    )
  })
}
