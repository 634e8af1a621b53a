/** The text index: which jobs are in it, and adding others. */
import { Button, Modal, MultiSelect, Stack, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { IndexedJob } from '../../../src-main/contract/services/search.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { faultFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useSelectable } from '../selection/useSelectable.ts'

/** The button that opens the dialog. `onClosed`: documents may have been added. */
export function IndexButton({ text, onClosed }: { text: string; onClosed: () => void }) {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {text}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => {
          setOpen(false)
          onClosed()
        }}
        size="lg"
        title={t('search.index.title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <IndexContent />
      </Modal>
    </>
  )
}

function IndexContent() {
  const t = useWords()
  const { services } = useSession()
  const [status, again] = useLoaded(useCallback(() => services.search.status({}), [services]))
  return (
    <Stack>
      <Text size="sm">{t('search.index.text')}</Text>
      <Await of={status} onRetry={again}>
        {({ jobs }) => (
          <>
            <AddJobs indexed={jobs} onAdded={again} />
            {jobs.length > 0 && <IndexedJobs jobs={jobs} />}
          </>
        )}
      </Await>
    </Stack>
  )
}

function AddJobs({ indexed, onAdded }: { indexed: readonly IndexedJob[]; onAdded: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const [selectable] = useSelectable()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isBuilding, setBuilding] = useState(false)
  const [result, setResult] = useState<{ documents: number; unreadable: number; missing: number } | null>(null)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const ended = valueOf(selectable)?.ended ?? []
  const isIndexed = (job: number) => indexed.some((row) => row.job === job && row.files > 0 && row.filesBegun === 0)

  async function build(): Promise<void> {
    setBuilding(true)
    setRefusal(null)
    setResult(null)
    try {
      const { documents, unreadable, filesMissing } = await services.search.build({ jobs: chosen.map(Number) })
      setResult({ documents, unreadable, missing: filesMissing.length })
      setChosen([])
    } catch (error) {
      setRefusal(faultFrom(error))
    } finally {
      setBuilding(false)
      // What was read before a refusal is in the index.
      onAdded()
    }
  }

  return (
    <Stack gap="xs" align="start">
      <MultiSelect
        w="100%"
        label={t('search.index.jobs')}
        data={ended
          .filter(({ job }) => !isIndexed(job))
          .map(({ job, harvest }) => ({ value: String(job), label: t('quickOpen.job', { job, name: harvest }) }))}
        value={[...chosen]}
        onChange={setChosen}
        nothingFoundMessage={t('search.index.noJobs')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('chooser.clear') }}
        disabled={isBuilding}
      />
      <ActionButton
        needs="search.build"
        loading={isBuilding}
        why={chosen.length === 0 ? t('search.index.choose') : null}
        onClick={() => void build()}
      >
        {t('search.index.add')}
      </ActionButton>
      {refusal && <FaultNote fault={refusal} />}
      <Text size="sm" role="status">
        {isBuilding && t('search.index.building')}
        {result && t('search.index.added', result)}
      </Text>
    </Stack>
  )
}

function IndexedJobs({ jobs }: { jobs: readonly IndexedJob[] }) {
  const t = useWords()
  const { count } = useFormats()
  return (
    <Table
      label={t('search.index.list')}
      rows={jobs}
      rowKey={({ job }) => job ?? 0}
      columns={[
        { id: 'job', head: t('search.index.column.job'), value: ({ job }) => job, cell: ({ job }) => job === null ? t('search.index.noJob') : t('search.job', { job }) }, // prettier-ignore
        { id: 'captures', head: t('search.index.column.captures'), value: ({ captures }) => captures, cell: ({ captures }) => count(captures), numeric: true }, // prettier-ignore
        { id: 'files', head: t('search.index.column.files'), value: ({ files }) => files, cell: ({ files }) => count(files), numeric: true }, // prettier-ignore
      ]}
      tools={false}
    />
  )
}
