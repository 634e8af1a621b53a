/** Output of a run in pieces, with its path; errors are grouped by file. */
import { Button, Group, Text } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { BatchRunSummary } from '../../../src-main/contract/services/batch.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { saveText } from '../../parts/csv.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { SaveAction } from '../../parts/SaveAction.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { makeOutput, shownBytesMax, wholeOutput, type OutputKind } from '../../state/batchOutput.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { errorsByFile } from './errorsByFile.ts'
import styles from './batch.module.css'

interface OutputViewProps {
  run: BatchRunSummary
  of: OutputKind
  running: boolean
}

export function OutputView({ run, of, running }: OutputViewProps) {
  const t = useWords()
  const { bytes } = useFormats()
  const { services } = useSession()
  const output = useMemo(() => makeOutput(services, { task: run.task, of }), [services, run.task, of])
  const { text, shownBytes, bytesTotal, asking, fault, begin, later } = useStore(output)
  // Reads again when the run ends, because it may have written more since.
  useEffect(() => void begin(), [begin, running])
  const path = run[of]
  const isMore = bytesTotal !== undefined && shownBytes < bytesTotal && shownBytes < shownBytesMax
  return (
    <div className={styles.batchOutput}>
      {fault && <FaultNote fault={fault} onRetry={() => void begin()} />}
      {of === 'errors' ? (
        <Errors run={run.task} text={text} />
      ) : (
        <pre
          className={`log ${styles.batchText}`}
          tabIndex={0}
          role="group"
          aria-label={t('batch.output.of', { run: run.task })}
        >
          {text}
        </pre>
      )}
      <Group gap="xs" mt="xs">
        <Text size="sm" c="dimmed" role="status">
          {bytesTotal === undefined
            ? t('loading')
            : t('batch.output.part', { shown: bytes(shownBytes), total: bytes(bytesTotal) })}
        </Text>
        {isMore && (
          <Button size="xs" variant="default" loading={asking} onClick={() => void later()}>
            {t('batch.output.later')}
          </Button>
        )}
        {running && (
          <Button size="xs" variant="default" loading={asking} onClick={() => void begin()}>
            {t('batch.output.renew')}
          </Button>
        )}
        <Save run={run} of={of} />
      </Group>
      <p className="with-copy export-path">
        <span className="mono wrap">{path}</span>
        <CopyAction text={path} what={t(`batch.path.${of}`)} />
      </p>
    </div>
  )
}

function Save({ run, of }: Pick<OutputViewProps, 'run' | 'of'>) {
  const t = useWords()
  const { services } = useSession()

  async function save(): Promise<void> {
    const text = await wholeOutput(services, { task: run.task, of }, t('batch.save.tooLong'))
    saveText(`${run.name}-run-${run.task}${of === 'errors' ? '-errors' : ''}.txt`, text, 'text/plain')
  }

  return <SaveAction text={t('batch.save')} label={t(`batch.save.${of}.of`, { run: run.task })} onSave={save} />
}

function Errors({ run, text }: { run: number; text: string }) {
  const t = useWords()
  const files = useMemo(() => errorsByFile(text), [text])
  return (
    <ul className={styles.batchErrors} tabIndex={0} aria-label={t('batch.errors.of', { run })}>
      {files.map(({ name, lines }) => (
        <li key={name}>
          <ErrorsOf name={name} />
          {lines.map(({ failed, text }, at) => (
            <div key={at} className={styles.batchError}>
              <ToneBadge
                tone={failed ? 'failed' : 'attention'}
                text={t(failed ? 'batch.error.failed' : 'batch.error.remark')}
              />
              <span className="mono">{text}</span>
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** Names the two steps of the module by their own texts; no archived file is likely to have their names. */
function ErrorsOf({ name }: { name: string }) {
  const t = useWords()
  if (name === '') return null
  if (name === 'start' || name === 'finish') return <strong>{t(`batch.error.${name}`)}</strong>
  return <a href={hrefOf({ place: 'file', file: name })}>{name}</a>
}
