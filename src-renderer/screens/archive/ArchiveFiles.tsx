/** Every file of the archive and how each replica's copy stands. */
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { ArchivedFile } from '../../../src-main/contract/contract.ts'
import { preservationStates, uploadStates } from '../../../src-main/contract/states.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PagedTable } from '../../parts/PagedTable.tsx'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { valueOf } from '../../state/loaded.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { FileLink } from '../record/FileLink.tsx'
import { hrefOf } from '../routes.ts'

const typingPauseMs = 250

export function ArchiveFiles() {
  const say = useWords()
  const { services, archive: store } = useSession()
  const { revision, replicas } = useStore(store)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const columns = useFileColumns(
    valueOf(replicas)
      ?.map(({ replica }) => replica)
      .join('\n') ?? '',
  )
  const pages = useMemo(
    () => makePages((page) => services.archive.files({ ...(text === '' ? {} : { text }), ...page })),
    [services, text],
  )
  useEffect(() => pages.getState().refresh(), [pages, revision])
  return (
    <Section title={say('archive.fileList')}>
      <TextInput
        mb="xs"
        maw={320}
        aria-label={say('table.filter', { label: say('archive.fileList') })}
        placeholder={say('archive.fileFilter')}
        leftSection={<Search size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <PagedTable
        label={say('archive.fileList')}
        pages={pages}
        columns={columns}
        empty={
          text === '' ? (
            <EmptyState title={say('archive.noFiles')} text={say('archive.noFiles.text')} />
          ) : (
            <EmptyState title={say('archive.noneMatches')} text={say('archive.noneMatches.text')} />
          )
        }
      />
    </Section>
  )
}

/** One column for each replica. `replicas`: their names, a line each, so that the columns change only when they do. */
function useFileColumns(replicas: string): Column<ArchivedFile>[] {
  const say = useWords()
  const { bytes } = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        head: say('files.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <FileLink name={name} />,
      },
      {
        id: 'job',
        head: say('finding.job'),
        value: ({ job }) => job,
        cell: ({ job }) => (job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{job}</a>),
        numeric: true,
        width: 64,
      },
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
        head: say('files.storedAt'),
        value: ({ stored }) => stored,
        cell: ({ stored }) => (stored ? timeUtc(stored) : '–'),
        width: 172,
      },
      ...replicas
        .split('\n')
        .filter((replica) => replica !== '')
        .map<Column<ArchivedFile>>((replica) => ({
          id: `replica ${replica}`,
          head: replica,
          value: (file) => copyIn(file, replica)?.preservation ?? null,
          cell: (file) => <Copy copy={copyIn(file, replica)} />,
          width: 172,
        })),
    ],
    [say, bytes, replicas],
  )
}

type CopyState = ArchivedFile['replicas'][number]

function copyIn(file: ArchivedFile, replica: string): CopyState | undefined {
  return file.replicas.find((copy) => copy.replica === replica)
}

/** A copy that was never stored has nothing to preserve: its upload says more. */
function Copy({ copy }: { copy: CopyState | undefined }) {
  if (!copy) return '–'
  const isStored = uploadStates.rows[stateIn(copy.upload)]?.tone === 'done'
  return (
    <span title={copy.problem ?? undefined}>
      {isStored ? (
        <StateBadge table={preservationStates} state={copy.preservation} />
      ) : (
        <StateBadge table={uploadStates} state={copy.upload} />
      )}
    </span>
  )
}

function stateIn(upload: string): (typeof uploadStates.states)[number] {
  return uploadStates.states.find((state) => state === upload) ?? uploadStates.initial
}
