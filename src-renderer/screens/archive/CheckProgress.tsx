/** One check: progress, rate, remaining time, findings so far, and buttons that stop, pause and resume it. */
import { Text } from '@mantine/core'
import { Pause, Play, Square } from 'lucide-react'
import { useStore } from 'zustand'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
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
  const { sightings, stop, pause, resume } = useStore(store)
  const running = isRunning(check)
  return (
    <>
      <LongTask
        name={checkName(t, check)}
        badge={<TaskBadge task={check} />}
        {...workDone(check)}
        running={running}
        sightings={sightings[check.task] ?? []}
        actions={
          <>
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Square size={14} aria-hidden />}
              aria-label={t('check.stop.of', { check: check.task })}
              why={check.canStop ? null : t('check.stop.why')}
              onClick={() => void stop(check.task)}
            >
              {t('check.stop')}
            </ActionButton>
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Pause size={14} aria-hidden />}
              aria-label={t('check.pause.of', { check: check.task })}
              why={check.canPause ? null : t('check.stop.why')}
              onClick={() => void pause(check.task)}
            >
              {t('check.pause')}
            </ActionButton>
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Play size={14} aria-hidden />}
              aria-label={t('check.resume.of', { check: check.task })}
              why={canGoOn(check) ? null : t('check.resume.why')}
              onClick={() => void resume(check.task)}
            >
              {t('check.resume')}
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

function nothingFound(check: CheckSummary): WordId {
  if (isRunning(check)) return 'check.findings.noneYet'
  return canGoOn(check) ? 'check.findings.noneSoFar' : 'check.findings.none'
}
