/** One check: progress, rate, remaining time, findings so far, and buttons that stop, pause and resume it. */
import { Text } from '@mantine/core'
import { Pause, Play, Square } from 'lucide-react'
import { useStore } from 'zustand'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
import { isEndedTask } from '../../../src-main/contract/states/taskStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useFormats } from '../../parts/formats.ts'
import { LongTask } from '../../parts/LongTask.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import { canGoOn, isRunning, workDone } from '../../state/checks.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { checkName } from '../copies/checkWords.ts'

export function CheckProgress({ check }: { check: CheckSummary }) {
  const t = useWords()
  const { count } = useFormats()
  const { archive: store } = useSession()
  const { samples, stop } = useStore(store)
  const running = isRunning(check)
  return (
    <>
      <LongTask
        name={checkName(t, check)}
        badge={<TaskBadge task={check} />}
        {...workDone(check)}
        running={running}
        samples={samples[check.task] ?? []}
        actions={
          <>
            <PauseButton check={check} />
            <ActionButton
              needs="tasks.stop"
              size="xs"
              variant="default"
              leftSection={<Square size={14} aria-hidden />}
              aria-label={t('check.stop.of', { check: check.task })}
              why={check.canStop ? null : t('check.stop.why')}
              onClick={() => void stop(check.task)}
            >
              {t('check.stop')}
            </ActionButton>
          </>
        }
      />
      {check.problem && <Text mt="xs">{t(check.problem)}</Text>}
      <Text my="sm" role="status">
        {check.findings === 0
          ? t(nothingFound(check), { copies: count(check.filesDone) })
          : t('check.findings', { findings: check.findings, copies: count(check.filesDone) })}
      </Text>
    </>
  )
}

/** One button for both: it resumes a check that can be resumed, and pauses any other or gives the reason why it cannot. */
function PauseButton({ check }: { check: CheckSummary }) {
  const t = useWords()
  const { archive: store } = useSession()
  const { pause, resume } = useStore(store)
  const action = canGoOn(check) ? 'resume' : 'pause'
  const Icon = action === 'resume' ? Play : Pause
  return (
    <ActionButton
      needs={`tasks.${action}`}
      size="xs"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      aria-label={t(`check.${action}.of`, { check: check.task })}
      why={action === 'resume' || check.canPause ? null : t('check.stop.why')}
      onClick={() => void (action === 'resume' ? resume : pause)(check.task)}
    >
      {t(`check.${action}`)}
    </ActionButton>
  )
}

function nothingFound(check: CheckSummary): WordId {
  if (!isEndedTask(check.state)) return 'check.findings.noneYet'
  return canGoOn(check) ? 'check.findings.noneSoFar' : 'check.findings.none'
}
