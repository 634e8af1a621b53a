/** The check of this file that was started here: its progress and its result. */
import { Text } from '@mantine/core'
import { Square } from 'lucide-react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import { isWholeTask } from '../../../src-main/contract/states/taskStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LongTask } from '../../parts/LongTask.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import { checkAsItIs, type ArchivedFileState } from '../../state/archivedFile.ts'
import { isRunning, workDone } from '../../state/checks.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'

export function CheckOfFile({ store }: { store: StoreApi<ArchivedFileState> }) {
  const t = useWords()
  const { begun } = useStore(store)
  const { archive } = useSession()
  const { checks, samples, stop } = useStore(archive)
  const check = checkAsItIs(begun, checks)
  if (!check) return null
  if (isRunning(check))
    return (
      <LongTask
        name={t('archivedFile.checking', { replicas: check.replicas.join(', ') })}
        badge={<TaskBadge task={check} />}
        {...workDone(check)}
        running
        samples={samples[check.task] ?? []}
        actions={
          <ActionButton
            needs="tasks.stop"
            size="xs"
            variant="default"
            leftSection={<Square size={14} aria-hidden />}
            onClick={() => void stop(check.task)}
          >
            {t('check.stop')}
          </ActionButton>
        }
      />
    )
  return (
    <ToneNote
      tone={!isWholeTask(check) ? 'attention' : check.findings === 0 ? 'done' : 'failed'}
      title={
        isWholeTask(check)
          ? t('archivedFile.checked', {
              findings: check.findings,
              copies: check.filesDone,
              replicas: check.replicas.join(', '),
            })
          : t('archivedFile.checkedSome', { copies: check.filesDone, total: check.filesTotal })
      }
    >
      {check.problem && <Text size="sm">{t(check.problem)}</Text>}
    </ToneNote>
  )
}
