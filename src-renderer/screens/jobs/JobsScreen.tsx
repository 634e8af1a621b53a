/** All jobs, live. That there is at least one is the start screen's care. */
import { Button } from '@mantine/core'
import { FileInput, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { JobSummary } from '../../../src-main/contract/contract.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { HarvestDrawer } from '../harvest/HarvestDrawer.tsx'
import { ImportDialog } from '../harvest/ImportDialog.tsx'
import { hrefOf } from '../routes.ts'
import { jobLook } from './jobWords.ts'

export function JobsScreen({ jobs }: { jobs: readonly JobSummary[] }) {
  const say = useWords()
  const columns = useJobColumns()
  const [open, setOpen] = useState<'harvest' | 'import' | null>(null)
  const newHarvest = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setOpen('harvest')}>
      {say('jobs.new')}
    </Button>
  )
  const importFiles = (
    <Button variant="default" leftSection={<FileInput size={16} aria-hidden />} onClick={() => setOpen('import')}>
      {say('jobs.import')}
    </Button>
  )
  return (
    <>
      <PageHead
        title={say('jobs.title')}
        actions={
          <>
            {importFiles}
            {newHarvest}
          </>
        }
      />
      <Table
        label={say('jobs.title')}
        rows={jobs}
        columns={columns}
        rowKey={({ job }) => job}
        sortedBy={{ id: 'job', desc: true }}
        heightMax="calc(100vh - 190px)"
        empty={null}
      />
      <HarvestDrawer opened={open === 'harvest'} onClose={() => setOpen(null)} />
      <ImportDialog opened={open === 'import'} onClose={() => setOpen(null)} />
    </>
  )
}

function useJobColumns(): Column<JobSummary>[] {
  const say = useWords()
  const formats = useFormats()
  return useMemo(
    () => [
      { id: 'job', head: say('jobs.number'), value: ({ job }) => job, numeric: true, width: 76 },
      {
        id: 'state',
        head: say('jobs.state'),
        value: (job) => jobLook(job).text,
        cell: (job) => <ToneBadge {...jobLook(job)} />,
        width: 150,
      },
      {
        id: 'name',
        head: say('jobs.name'),
        value: ({ harvest }) => harvest,
        cell: ({ job, harvest }) => (
          <a href={hrefOf({ place: 'job', job })} title={harvest}>
            {harvest}
          </a>
        ),
      },
      {
        id: 'documents',
        head: say('jobs.documents'),
        value: ({ documents }) => documents.fetched,
        cell: ({ documents }) => `${formats.count(documents.fetched)} / ${formats.count(documents.total)}`,
        numeric: true,
        width: 130,
      },
      {
        id: 'failed',
        head: say('jobs.failed'),
        value: ({ documents }) => documents.failed,
        cell: ({ documents }) => formats.count(documents.failed),
        numeric: true,
        width: 80,
      },
      {
        id: 'bytes',
        head: say('jobs.bytes'),
        value: ({ bytes }) => bytes,
        cell: ({ bytes }) => formats.bytes(bytes),
        numeric: true,
        width: 92,
      },
      {
        id: 'rate',
        head: say('jobs.rate'),
        value: ({ documentsPerSecond }) => documentsPerSecond,
        cell: ({ documentsPerSecond }) => (documentsPerSecond > 0 ? formats.perSecond(documentsPerSecond) : '–'),
        numeric: true,
        width: 84,
      },
      {
        id: 'started',
        head: say('jobs.started'),
        value: ({ started }) => started,
        cell: ({ started }) => (started ? timeUtc(started) : '–'),
        width: 172,
      },
      {
        id: 'seconds',
        head: say('jobs.duration'),
        value: ({ seconds }) => seconds,
        cell: ({ seconds, started }) => (started ? formats.duration(seconds) : '–'),
        numeric: true,
        width: 92,
      },
    ],
    [say, formats],
  )
}
