/** All files of the archive with the state of each replica's copy, filtered as the address says. */
import { Button, Checkbox, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Eye, FileOutput, FilterX, Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { copyStates, fileOrders, type ArchivedFile } from '../../../src-main/contract/services/archivedFiles.ts'
import type { ReplicaSummary } from '../../../src-main/contract/services/replicas.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PagedTable } from '../../parts/PagedTable.tsx'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { valueOf } from '../../state/loaded.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { FileLink } from '../record/FileLink.tsx'
import { goTo, hrefOf, routeOf } from '../../routes/routes.ts'
import { jobColumn } from '../copies/columns.tsx'
import { CopyBadge } from '../copies/CopyBadge.tsx'
import { askedOf, everyFile, filterIn, isNarrow, queryOf, type FileFilter } from '../copies/fileFilter.ts'
import { SurplusFiles } from './SurplusFiles.tsx'

export function ArchiveFiles({ filter: query = '' }: { filter?: string }) {
  const t = useWords()
  const { services, archive: store } = useSession()
  const { revision, replicas } = useStore(store)
  const filter = useMemo(() => filterIn(query), [query])
  const known = valueOf(replicas)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const columns = useFileColumns(known?.map(({ replica }) => replica).join('\n') ?? '', chosen, setChosen)
  const pages = useMemo(
    () => makePages((page) => services.archive.files({ ...askedOf(filterIn(query)), ...page })),
    [services, query],
  )
  useEffect(() => pages.getState().refresh(), [pages, revision])
  const narrow = (change: Partial<FileFilter>) => show({ ...filterNow(), ...change })
  return (
    <>
      <Section title={t('archive.fileList')}>
        <Filters filter={filter} replicas={known ?? []} onChange={narrow} />
        <ChosenFiles chosen={chosen} onClear={() => setChosen(new Set())} />
        <PagedTable
          label={t('archive.fileList')}
          pages={pages}
          columns={columns}
          sorting={{
            by: fileOrders,
            id: filter.order,
            descending: filter.direction === 'descending',
            onSort: (id, descending) =>
              narrow({
                order: fileOrders.find((order) => order === id) ?? everyFile.order,
                direction: descending ? 'descending' : 'ascending',
              }),
          }}
          empty={
            isNarrow(filter) ? (
              <EmptyState title={t('archive.noneMatches')} text={emptyText(filter)}>
                <Button variant="default" onClick={() => show(everyFile)}>
                  {t('fileFilter.clear')}
                </Button>
              </EmptyState>
            ) : (
              <EmptyState title={t('archive.noFiles')} text={t('archive.noFiles.text')} />
            )
          }
        />
      </Section>
      <SurplusFiles />
    </>
  )

  /** Text for empty lists of problems, which are good news. */
  function emptyText({ text, job, state }: FileFilter): string {
    if (text !== '' || job !== null || state === null) return t('archive.noneMatches.text')
    return t(`fileFilter.none.${state}`)
  }
}

/** Actions on selected files, including those that a later filter hides. */
function ChosenFiles({ chosen, onClear }: { chosen: ReadonlySet<string>; onClear: () => void }) {
  const t = useWords()
  const { dialogs } = useSession()
  const files = [...chosen]
  const why = files.length === 0 ? t('fileList.view.why') : null
  return (
    <Group gap="xs" mb="xs">
      <span className="dimmed tabular" role="status">
        {t('fileList.chosen', { count: files.length })}
      </span>
      <LinkButton
        size="xs"
        variant="default"
        leftSection={<Eye size={14} aria-hidden />}
        why={why}
        href={hrefOf({ place: 'viewer', jobs: [], files })}
      >
        {t('job.view')}
      </LinkButton>
      <ActionButton
        needs="exports.start"
        size="xs"
        variant="default"
        leftSection={<FileOutput size={14} aria-hidden />}
        why={why}
        onClick={() => dialogs.getState().show('export', { files })}
      >
        {t('job.export')}
      </ActionButton>
      {files.length > 0 && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {t('fileList.clear')}
        </Button>
      )}
    </Group>
  )
}

/** Filters of the current URL. A rendered component may have those of an earlier URL, and delayed text input would undo later clicks. */
function filterNow(): FileFilter {
  const route = routeOf(window.location.hash)
  return filterIn(route.place === 'archive' ? (route.filter ?? '') : '')
}

/** Filters make no history entries: going back leaves the list. */
function show(filter: FileFilter): void {
  goTo({ place: 'archive', tab: 'files', filter: queryOf(filter) }, 'replace')
}

interface FiltersProps {
  filter: FileFilter
  replicas: readonly Pick<ReplicaSummary, 'replica'>[]
  onChange: (change: Partial<FileFilter>) => void
}

function Filters({ filter, replicas, onChange }: FiltersProps) {
  const t = useWords()
  return (
    <Group gap="xs" mb="xs" role="search" aria-label={t('fileFilter')}>
      <Typed text={filter.text} onChange={(text) => onChange({ text })} />
      <NumberInput
        w={110}
        aria-label={t('fileFilter.job')}
        placeholder={t('fileFilter.job')}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={filter.job ?? ''}
        onChange={(job) => onChange({ job: typeof job === 'number' && job > 0 ? job : null })}
      />
      <Select
        w={230}
        aria-label={t('fileFilter.state')}
        placeholder={t('fileFilter.state.all')}
        clearable
        clearButtonProps={{ 'aria-label': t('fileFilter.state.clear') }}
        data={copyStates.map((state) => ({ value: state, label: t(`fileFilter.state.${state}`) }))}
        value={filter.state}
        onChange={(chosen) => onChange({ state: copyStates.find((state) => state === chosen) ?? null })}
      />
      <Select
        w={190}
        aria-label={t('fileFilter.replica')}
        placeholder={t('fileFilter.replica.any')}
        clearable
        clearButtonProps={{ 'aria-label': t('fileFilter.replica.clear') }}
        data={namesWith(replicas, filter.replica).map((name) => ({
          value: name,
          label: t('fileFilter.replica.in', { name }),
        }))}
        value={filter.replica}
        onChange={(replica) => onChange({ replica })}
      />
      {isNarrow(filter) && (
        <Button
          variant="subtle"
          leftSection={<FilterX size={16} aria-hidden />}
          onClick={() => onChange({ ...everyFile, order: filter.order, direction: filter.direction })}
        >
          {t('fileFilter.clear')}
        </Button>
      )}
    </Group>
  )
}

/** Includes the replica of the address, which may have left the settings. */
function namesWith(replicas: FiltersProps['replicas'], chosen: string | null): string[] {
  const names = replicas.map(({ replica }) => replica)
  return chosen === null || names.includes(chosen) ? names : [...names, chosen]
}

/** Applies the text when the user pauses; a new text in the address replaces what was typed. */
function Typed({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useWords()
  const [typed, setTyped] = useState(text)
  const asked = useRef(text)
  useEffect(() => {
    if (asked.current === text) return
    asked.current = text
    setTyped(text)
  }, [text])
  const ask = useDebouncedCallback((wanted: string) => {
    asked.current = wanted
    onChange(wanted)
  }, typingPauseMs)
  return (
    <TextInput
      w={260}
      aria-label={t('table.filter', { label: t('archive.fileList') })}
      placeholder={t('archive.fileFilter')}
      leftSection={<Search size={16} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        ask(event.currentTarget.value.trim())
      }}
    />
  )
}

/** One column for each replica. `replicas` has their names, one per line, so that the columns change only when the names do. */
function useFileColumns(
  replicas: string,
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): Column<ArchivedFile>[] {
  const t = useWords()
  const { bytes } = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        head: t('files.name'),
        value: ({ name }) => name,
        // In one column with the name, because only the first column can stay in view.
        cell: ({ name }) => (
          <Group gap="xs" wrap="nowrap">
            <Checkbox
              size="xs"
              aria-label={t('fileList.choose', { name })}
              checked={chosen.has(name)}
              onChange={(event) => {
                const others = [...chosen].filter((one) => one !== name)
                onChoose(new Set(event.currentTarget.checked ? [...others, name] : others))
              }}
            />
            <FileLink name={name} />
          </Group>
        ),
        widthMin: 240,
        stays: true,
        wraps: true,
      },
      jobColumn(t),
      {
        id: 'bytes',
        head: t('jobs.bytes'),
        value: (file) => file.bytes,
        cell: (file) => bytes(file.bytes),
        numeric: true,
        width: 84,
      },
      {
        id: 'stored',
        head: t('files.storedAt'),
        value: ({ stored }) => stored,
        cell: ({ stored }) =>
          stored ? <span title={timeUtc(stored)}>{timeUtc(stored).slice(0, 16)}</span> : t('archivedFile.notInAll'),
        width: 148,
      },
      ...replicas
        .split('\n')
        .filter((replica) => replica !== '')
        .map<Column<ArchivedFile>>((replica) => ({
          id: `replica ${replica}`,
          head: replica,
          value: (file) => copyIn(file, replica)?.preservation ?? null,
          cell: (file) => <CopyBadge copy={copyIn(file, replica)} />,
          width: 157,
        })),
    ],
    [t, bytes, replicas, chosen, onChoose],
  )
}

function copyIn(file: ArchivedFile, replica: string): ArchivedFile['replicas'][number] | undefined {
  return file.replicas.find((copy) => copy.replica === replica)
}
