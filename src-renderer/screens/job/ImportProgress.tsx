/** Progress of an import: its files, their counts and their findings by severity. */
import { Group } from '@mantine/core'
import { useMemo } from 'react'
import type { ImportedFile } from '../../../src-main/contract/services/harvests.ts'
import { importedFileStates } from '../../../src-main/contract/states/states.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { totalsOf } from '../../state/imported.ts'
import { rateOf, secondsLeft, type ProgressSample } from '../../state/pace.ts'
import { useWords } from '../../words/words.tsx'
import { FileLink } from '../record/FileLink.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { SeverityCount } from '../findings/severity.tsx'
import styles from './job.module.css'

interface ImportProgressProps {
  files: readonly ImportedFile[]
  samples: readonly ProgressSample[]
  running: boolean
  /** Shows the findings of one file, or of all. */
  onFindings: (file: string | null) => void
}

export function ImportProgress({ files, samples, running, onFindings }: ImportProgressProps) {
  const t = useWords()
  const { count, bytes, bytesPerSecond, duration } = useFormats()
  const totals = totalsOf(files)
  const rate = running ? rateOf(samples) : undefined
  const left = running ? secondsLeft(samples, totals.bytesTotal) : undefined
  const parts = [
    t('task.bytesDone', { done: bytes(totals.bytesDone), total: bytes(totals.bytesTotal) }),
    ...(rate === undefined ? [] : [bytesPerSecond(rate)]),
    ...(left === undefined ? [] : [t('task.left', { time: duration(left) })]),
  ]
  return (
    <Section title={t('imported.title')}>
      <div className="card">
        <Facts
          facts={[
            { name: t('imported.total'), value: count(totals.files) },
            { name: t('imported.imported'), value: count(totals.imported) },
            { name: t('imported.archived'), value: count(totals.archived) },
            { name: t('imported.rejected'), value: count(totals.rejected) },
            ...(totals.waiting > 0 ? [{ name: t('imported.waiting'), value: count(totals.waiting) }] : []),
            { name: t('imported.records'), value: count(totals.records) },
            { name: t('imported.captures'), value: count(totals.captures) },
            {
              name: t('imported.findings'),
              value: <FindingCounts counts={totals} onClick={() => onFindings(null)} />,
            },
          ]}
        />
        <div className={styles.cardMeter}>
          <Meter
            name={t('imported.read')}
            done={totals.bytesDone}
            total={totals.bytesTotal || 1}
            text={parts.join(' · ')}
          />
        </div>
      </div>
      <div className="below-card">
        <ImportedFiles files={files} onFindings={onFindings} />
        <Remarks files={files} />
      </div>
    </Section>
  )
}

function ImportedFiles({ files, onFindings }: Pick<ImportProgressProps, 'files' | 'onFindings'>) {
  const t = useWords()
  const columns = useFileColumns(onFindings)
  return (
    <Table
      label={t('imported.files')}
      rows={files}
      columns={columns}
      rowKey={({ from }) => from}
      tools={files.length > 5}
      heightMax={380}
      empty={<EmptyState title={t('imported.none')} text={t('imported.none.text')} />}
    />
  )
}

/** The table and its CSV have all notes. */
const remarksShownMax = 20

/** Notes in full: they are sentences, too long for a column. */
function Remarks({ files }: { files: readonly ImportedFile[] }) {
  const t = useWords()
  const remarked = files.flatMap(({ from, message, archived }) => (message ? [{ from, message, archived }] : []))
  if (remarked.length === 0) return null
  return (
    <ul className={styles.remarks} aria-label={t('imported.remarks')} tabIndex={0}>
      {remarked.slice(0, remarksShownMax).map(({ from, message, archived }) => (
        <li key={from}>
          <strong className="wrap">{lastOf(from)}</strong>: {t(message)}{' '}
          {archived?.job && (
            <a href={hrefOf({ place: 'job', job: archived.job })}>{t('imported.toJob', { job: archived.job })}</a>
          )}
        </li>
      ))}
      {remarked.length > remarksShownMax && (
        <li>{t('imported.remarks.more', { count: remarked.length - remarksShownMax })}</li>
      )}
    </ul>
  )
}

function useFileColumns(onFindings: (file: string | null) => void): Column<ImportedFile>[] {
  const t = useWords()
  const { count, bytes, percent } = useFormats()
  return useMemo(() => {
    const counted = (id: 'records' | 'captures', head: string): Column<ImportedFile> => ({
      id,
      head,
      value: (file) => file[id],
      cell: (file) => count(file[id]),
      numeric: true,
      width: 100,
    })
    return [
      {
        id: 'file',
        head: t('files.name'),
        value: ({ from }) => from,
        cell: ({ from, name, archived }) => {
          const inArchive = name ?? archived?.name
          return inArchive === undefined ? (
            <span title={from}>{lastOf(from)}</span>
          ) : (
            <FileLink name={inArchive} title={from} />
          )
        },
      },
      { id: 'kind', head: t('files.kind'), value: ({ kind }) => t(kind), width: 100 },
      {
        id: 'state',
        head: t('jobs.state'),
        value: ({ state }) => state,
        cell: ({ state, bytesDone, bytesTotal }) => (
          <Group gap={6} wrap="nowrap">
            <StateBadge table={importedFileStates} state={state} />
            {state === 'READING' && bytesTotal > 0 && percent(bytesDone / bytesTotal)}
          </Group>
        ),
        width: 148,
      },
      {
        id: 'bytes',
        head: t('jobs.bytes'),
        value: ({ bytesTotal }) => bytesTotal,
        cell: ({ bytesTotal }) => bytes(bytesTotal),
        numeric: true,
        width: 92,
      },
      counted('records', t('imported.records')),
      counted('captures', t('imported.captures')),
      {
        id: 'findings',
        head: t('imported.findings'),
        value: ({ findings }) => findings.errors + findings.warnings + findings.notes,
        cell: (file) => <FindingCounts counts={file.findings} onClick={() => onFindings(file.name ?? file.from)} />,
        width: 156,
      },
      {
        id: 'message',
        head: t('imported.message'),
        value: ({ message }) => message && t(message),
        cell: ({ message }) => message && <span title={t(message)}>{t(message)}</span>,
        width: 140,
      },
    ]
  }, [t, count, bytes, percent, onFindings])
}

interface FindingCountsProps {
  counts: { errors: number; warnings: number; notes: number }
  onClick: () => void
}

function FindingCounts({ counts: { errors, warnings, notes }, onClick }: FindingCountsProps) {
  const t = useWords()
  if (errors + warnings + notes === 0) return '–'
  return (
    <button
      type="button"
      className="finding-counts"
      onClick={onClick}
      aria-label={t('imported.showFindings', { errors, warnings, notes })}
    >
      {errors > 0 && <SeverityCount severity="error" count={errors} />}
      {warnings > 0 && <SeverityCount severity="warning" count={warnings} />}
      {notes > 0 && <SeverityCount severity="note" count={notes} />}
    </button>
  )
}

/** The last part of a path on any system, or of the path in a package. */
function lastOf(from: string): string {
  return from.split(/[/\\!]/).at(-1) || from
}
