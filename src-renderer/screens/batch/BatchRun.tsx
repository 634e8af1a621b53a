/** One run of a batch job: its progress, how it ended, its output and its errors. */
import { Alert, Group, Text } from '@mantine/core'
import { FileText, OctagonX, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { BatchRunSummary } from '../../../src-main/contract/services/batch.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { LongTask } from '../../parts/LongTask.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import type { OutputKind } from '../../state/batchOutput.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { OutputView } from './OutputView.tsx'
import { choiceWords, isRunning, outcomeWords } from './runWords.ts'
import styles from './batch.module.css'

export function BatchRun({ run }: { run: BatchRunSummary }) {
  const t = useWords()
  const formats = useFormats()
  const { batch } = useSession()
  const { samples, stop, start, starting } = useStore(batch)
  const running = isRunning(run)
  const name = t('batch.run', { run: run.task, name: run.name })
  const [first, ...further] = outcomeWords(t, formats, run)
  return (
    <article aria-label={name}>
      <LongTask
        name={name}
        badge={<TaskBadge task={run} />}
        unit="bytes"
        done={run.bytesDone}
        total={run.bytesTotal}
        running={running}
        samples={samples[run.task] ?? []}
        actions={
          running ? (
            <ActionButton
              needs="tasks.stop"
              size="xs"
              variant="default"
              aria-label={t('batch.stop.of', { run: run.task })}
              leftSection={<Square size={14} aria-hidden />}
              onClick={() => void stop(run.task)}
            >
              {t('batch.stop')}
            </ActionButton>
          ) : (
            <ActionButton
              size="xs"
              variant="default"
              aria-label={t('batch.again.of', { run: run.task })}
              leftSection={<RotateCw size={14} aria-hidden />}
              why={starting ? t('batch.begin.why.starting') : null}
              onClick={() => void start(run.request)}
            >
              {t('batch.again')}
            </ActionButton>
          )
        }
      />
      <p className={`dimmed ${styles.batchChoice}`}>
        {t('batch.began', { at: timeUtc(run.started) })} · {choiceWords(t, run.request)}
      </p>
      <div role="status">
        {run.state === 'FAILED' ? (
          <Alert color="red" p="xs" icon={<OctagonX aria-hidden />} title={first}>
            {further.join(' ')}
          </Alert>
        ) : (
          first && <Text size="sm">{[first, ...further].join(' ')}</Text>
        )}
      </div>
      <Written run={run} running={running} />
    </article>
  )
}

function Written({ run, running }: { run: BatchRunSummary; running: boolean }) {
  const t = useWords()
  const [shown, setShown] = useState<OutputKind | null>(null)
  const bytes = { output: run.figures.outputBytes, errors: run.figures.errorBytes }
  const why = {
    output: t(running ? 'batch.output.why' : 'batch.output.why.ended'),
    errors: t('batch.errors.why'),
  }
  return (
    <>
      <Group gap="xs" mt="xs">
        {(['output', 'errors'] as const).map((kind) => {
          const verb = shown === kind ? 'hide' : 'show'
          return (
            <ActionButton
              key={kind}
              size="xs"
              variant="default"
              aria-expanded={shown === kind}
              aria-label={t(`batch.${kind}.${verb}.of`, { run: run.task })}
              leftSection={<FileText size={14} aria-hidden />}
              why={bytes[kind] === 0 ? why[kind] : null}
              onClick={() => setShown(shown === kind ? null : kind)}
            >
              {t(`batch.${kind}.${verb}`)}
            </ActionButton>
          )
        })}
      </Group>
      {shown && <OutputView key={shown} run={run} of={shown} running={running} />}
    </>
  )
}
