/** The recovery of files that are not in the database: its progress and its result. Empty where there was no recovery. */
import { Group } from '@mantine/core'
import { useStore } from 'zustand'
import type { RecoverySummary } from '../../../src-main/contract/services/recovery.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import styles from './archive.module.css'

/** `loupe recover --json` lists all of them. */
const problemsShownMax = 10

export function RecoveryNote() {
  const t = useWords()
  const { bytes } = useFormats()
  const { recovery } = useSession()
  const { summary, asking, refusal, stop } = useStore(recovery)
  if (summary === null && refusal === null) return null
  const isRunning = summary?.ended === null
  return (
    <section className={styles.recovery} aria-label={t('recovery.title')}>
      {summary && isRunning && (
        <Group gap="sm" align="end" wrap="nowrap">
          <Meter
            name={t('recovery.running')}
            done={summary.bytesDone}
            total={summary.bytesTotal}
            text={t('recovery.progress', {
              done: summary.filesDone,
              total: summary.filesTotal,
              bytes: bytes(summary.bytesTotal),
            })}
          />
          <ActionButton
            needs="archive.stopRecovery"
            size="xs"
            variant="default"
            loading={asking}
            onClick={() => void stop()}
          >
            {t('recovery.stop')}
          </ActionButton>
        </Group>
      )}
      <div role="status">{summary && !isRunning && <Ended summary={summary} t={t} />}</div>
      {refusal && <FaultNote fault={refusal} />}
    </section>
  )
}

const tones: Record<RecoverySummary['state'], Tone> = {
  RUNNING: 'running',
  DONE: 'done',
  STOPPED: 'attention',
  FAILED: 'failed',
}

function Ended({ summary, t }: { summary: RecoverySummary; t: Translate }) {
  const { state, registered, jobs, importJob, problems } = summary
  const words =
    state === 'STOPPED'
      ? t('recovery.stopped')
      : t('recovery.ended', { files: registered, jobs: jobs.length, problems: problems.length })
  return (
    <>
      <ToneBadge tone={problems.length > 0 && state === 'DONE' ? 'attention' : tones[state]} text={words} />
      {importJob !== null && <p>{t('recovery.import', { job: importJob })}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, problemsShownMax).map(({ name, message }) => {
            const text = t(message)
            return <li key={`${name} ${text}`}>{name === '' ? text : `${name}: ${text}`}</li>
          })}
          {problems.length > problemsShownMax && (
            <li>{t('recovery.more', { count: problems.length - problemsShownMax })}</li>
          )}
        </ul>
      )}
    </>
  )
}
