/** How far an audit has come, or what it found. */
import { Alert, Text } from '@mantine/core'
import { useStore } from 'zustand'
import type { PageAuditSummary } from '../../../src-main/contract/services/pageAudits.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LongTask } from '../../parts/LongTask.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import type { TaskAction } from '../../state/tasks.ts'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './pageAudits.module.css'

export function AuditHead({ audit }: { audit: PageAuditSummary }) {
  const t = useWords()
  const { tasks } = useSession()
  const { samples, act } = useStore(tasks)
  const { task, figures, findings, filesDone, filesTotal, problem, files, pagesLeftOut, isRestored } = audit
  const allowed: Record<TaskAction, boolean> = {
    pause: audit.canPause,
    resume: audit.canResume,
    stop: audit.canStop,
  }
  return (
    <div className={styles.head}>
      <LongTask
        name={t('pageAudits.progress', { audit: task })}
        badge={<TaskBadge task={audit} />}
        unit="pages"
        done={filesDone}
        total={filesTotal}
        running={audit.state === 'RUNNING'}
        samples={samples[task] ?? []}
        actions={(['pause', 'resume', 'stop'] as const)
          .filter((action) => allowed[action])
          .map((action) => (
            <ActionButton
              needs={`tasks.${action}`}
              key={action}
              size="xs"
              variant="default"
              onClick={() => void act(action, task)}
            >
              {t(`pageAudits.${action}`)}
            </ActionButton>
          ))}
      />
      {problem && (
        <Alert color={audit.state === 'FAILED' ? 'red' : 'yellow'} mt="xs" p="xs">
          {t(problem)}
        </Alert>
      )}
      <Text size="sm" mt="xs" role="status">
        {t('pageAudits.found', { faulty: findings, ...figures })}
      </Text>
      {isRestored && (
        <Text size="sm" c="dimmed">
          {t('pageAudits.restored')}
        </Text>
      )}
      {pagesLeftOut > 0 && (
        <Text size="sm" c="dimmed">
          {t('pageAudits.leftOut', { count: pagesLeftOut })}
        </Text>
      )}
      {files.map((file) => (
        <Text key={file} size="sm" c="dimmed">
          {t('pageAudits.kept')} <a href={hrefOf({ place: 'file', file })}>{file}</a>
        </Text>
      ))}
    </div>
  )
}
