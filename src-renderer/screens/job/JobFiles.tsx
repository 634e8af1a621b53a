/** The files a job has written. Their copies and checks are on the archive's screen. */
import { useMemo } from 'react'
import type { JobWhole } from '../../../src-main/contract/contract.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { FileLink } from '../record/FileLink.tsx'
import { useWords } from '../../words/words.tsx'

type JobFile = JobWhole['files'][number]

export function JobFiles({ job }: { job: JobWhole }) {
  const say = useWords()
  const { bytes } = useFormats()
  const isDry = job.definition.connectors?.output === 'null'
  const emptyText = job.kind === 'import' ? 'files.empty.import' : isDry ? 'files.empty.dry' : 'files.empty.text'
  const columns = useMemo<Column<JobFile>[]>(
    () => [
      {
        id: 'name',
        head: say('files.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <FileLink name={name} />,
      },
      { id: 'kind', head: say('files.kind'), value: ({ kind }) => say(`files.kind.${kind}`), width: 110 },
      {
        id: 'bytes',
        head: say('jobs.bytes'),
        value: (file) => file.bytes,
        cell: (file) => bytes(file.bytes),
        numeric: true,
        width: 92,
      },
      {
        id: 'stored',
        head: say('files.stored'),
        value: ({ stored }) => (stored ? say('files.stored.yes') : say('files.stored.no')),
        cell: ({ stored }) => (
          <ToneBadge
            tone={stored ? 'done' : 'waiting'}
            text={stored ? say('files.stored.yes') : say('files.stored.no')}
          />
        ),
        width: 170,
      },
      {
        id: 'sha256',
        head: say('files.sha256'),
        value: ({ sha256 }) => sha256,
        cell: ({ sha256 }) => (
          <span className="with-copy">
            <span className="mono">{sha256.slice(0, 12)}…</span>
            <CopyAction text={sha256} what={say('files.sha256')} />
          </span>
        ),
        width: 170,
      },
    ],
    [say, bytes],
  )
  return (
    <Section title={say('files.title')}>
      <Table
        label={say('files.title')}
        rows={job.files}
        columns={columns}
        rowKey={({ name }) => name}
        tools={job.files.length > 5}
        heightMax={320}
        empty={<EmptyState title={say('files.empty')} text={say(emptyText)} />}
      />
    </Section>
  )
}
