/** The files that a job has written. Their copies and checks are shown with the archive. */
import { useMemo } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { FileLink } from '../record/FileLink.tsx'
import { useWords } from '../../words/words.tsx'
import { isDryRun } from './isDryRun.ts'

type JobFile = JobWhole['files'][number]

export function JobFiles({ job }: { job: JobWhole }) {
  const t = useWords()
  const { bytes } = useFormats()
  const isDry = isDryRun(job)
  const emptyText = job.kind === 'import' ? 'files.empty.import' : isDry ? 'files.empty.dry' : 'files.empty.text'
  const columns = useMemo<Column<JobFile>[]>(
    () => [
      {
        id: 'name',
        head: t('files.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <FileLink name={name} />,
      },
      { id: 'kind', head: t('files.kind'), value: ({ kind }) => t(`files.kind.${kind}`), width: 110 },
      {
        id: 'bytes',
        head: t('jobs.bytes'),
        value: (file) => file.bytes,
        cell: (file) => bytes(file.bytes),
        numeric: true,
        width: 92,
      },
      {
        id: 'stored',
        head: t('files.stored'),
        value: ({ stored }) => (stored ? t('files.stored.yes') : t('files.stored.no')),
        cell: ({ stored }) => (
          <ToneBadge tone={stored ? 'done' : 'waiting'} text={stored ? t('files.stored.yes') : t('files.stored.no')} />
        ),
        width: 170,
      },
      {
        id: 'sha256',
        head: t('files.sha256'),
        value: ({ sha256 }) => sha256,
        cell: ({ sha256 }) => (
          <span className="with-copy">
            <span className="mono">{sha256.slice(0, 12)}…</span>
            <CopyAction text={sha256} what={t('files.sha256')} />
          </span>
        ),
        width: 170,
      },
    ],
    [t, bytes],
  )
  return (
    <Section title={t('files.title')}>
      <Table
        label={t('files.title')}
        rows={job.files}
        columns={columns}
        rowKey={({ name }) => name}
        tools={job.files.length > 5}
        heightMax={320}
        empty={<EmptyState title={t('files.empty')} text={t(emptyText)} />}
      />
    </Section>
  )
}
