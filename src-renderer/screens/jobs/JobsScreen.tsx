/** All jobs, live. That there is at least one is the start screen's care. */
import { Button, Checkbox } from '@mantine/core'
import { FileInput, FileOutput, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { FindingTotals } from '../findings/FindingTotals.tsx'
import { jobLook } from './jobWords.ts'
import { useExportAtHand } from './useExportAtHand.ts'

export function JobsScreen({ jobs }: { jobs: readonly JobSummary[] }) {
  const t = useWords()
  const { dialogs } = useSession()
  const { show } = useStore(dialogs)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const columns = useJobColumns(chosen, setChosen)
  const ended = jobs.filter(({ job, ended: end }) => end !== null && chosen.has(job))
  useExportAtHand(ended)
  return (
    <>
      <PageHead
        title={t('jobs.title')}
        actions={
          <>
            <ActionButton
              variant="default"
              leftSection={<FileOutput size={16} aria-hidden />}
              why={jobs.every((job) => job.ended === null) ? t('chooser.running') : null}
              onClick={() => show('export')}
            >
              {ended.length === 0 ? t('jobs.export') : t('jobs.export.chosen', { count: ended.length })}
            </ActionButton>
            <Button variant="default" leftSection={<FileInput size={16} aria-hidden />} onClick={() => show('import')}>
              {t('jobs.import')}
            </Button>
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show('harvest')}>
              {t('jobs.new')}
            </Button>
          </>
        }
      />
      <Table
        label={t('jobs.title')}
        rows={jobs}
        columns={columns}
        rowKey={({ job }) => job}
        sortedBy={{ id: 'job', desc: true }}
        heightMax="calc(100vh - 190px)"
        empty={null}
      />
    </>
  )
}

function useJobColumns(
  chosen: ReadonlySet<number>,
  onChoose: (chosen: ReadonlySet<number>) => void,
): Column<JobSummary>[] {
  const t = useWords()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'chosen',
        head: t('jobs.chosen'),
        value: ({ job }) => (chosen.has(job) ? t('jobs.chosen.yes') : ''),
        cell: ({ job, harvest }) => (
          <Checkbox
            size="xs"
            aria-label={t('jobs.choose', { job, name: harvest })}
            checked={chosen.has(job)}
            onChange={(event) => {
              const others = [...chosen].filter((one) => one !== job)
              onChoose(new Set(event.currentTarget.checked ? [...others, job] : others))
            }}
          />
        ),
        width: 78,
      },
      { id: 'job', head: t('jobs.number'), value: ({ job }) => job, numeric: true, width: 64 },
      {
        id: 'state',
        head: t('jobs.state'),
        value: (job) => jobLook(t, job).text,
        cell: (job) => <ToneBadge {...jobLook(t, job)} />,
        width: 180,
      },
      {
        id: 'name',
        head: t('jobs.name'),
        value: ({ harvest }) => harvest,
        cell: ({ job, harvest }) => (
          <a href={hrefOf({ place: 'job', job })} title={harvest}>
            {harvest}
          </a>
        ),
      },
      {
        id: 'documents',
        head: t('jobs.documents'),
        value: ({ progress }) => progress.done,
        cell: ({ progress }) => `${formats.count(progress.done)} / ${formats.count(progress.total)}`,
        numeric: true,
        width: 130,
      },
      {
        id: 'failed',
        head: t('jobs.failed'),
        value: ({ documents }) => documents.failed,
        cell: ({ documents }) => formats.count(documents.failed),
        numeric: true,
        width: 80,
      },
      {
        id: 'queued',
        head: t('job.queued'),
        value: ({ queued }) => queued,
        cell: ({ queued }) => formats.count(queued),
        numeric: true,
        width: 84,
      },
      {
        id: 'findings',
        head: t('jobs.findings'),
        value: ({ findingCounts: { errors, warnings, notes } }) => errors + warnings + notes,
        cell: ({ findingCounts }) => <FindingTotals counts={findingCounts} />,
        numeric: true,
        width: 120,
      },
      {
        id: 'bytes',
        head: t('jobs.received'),
        value: ({ bytes }) => bytes,
        cell: ({ bytes }) => formats.bytes(bytes),
        numeric: true,
        width: 92,
      },
      {
        id: 'rate',
        head: t('jobs.rate'),
        value: ({ documentsPerSecond }) => documentsPerSecond,
        cell: ({ documentsPerSecond }) => (documentsPerSecond > 0 ? formats.perSecond(documentsPerSecond) : '–'),
        numeric: true,
        width: 84,
      },
      {
        id: 'started',
        head: t('jobs.started'),
        value: ({ started }) => started,
        cell: ({ started }) => (started ? timeUtc(started) : '–'),
        width: 172,
      },
      {
        id: 'seconds',
        head: t('jobs.duration'),
        value: ({ seconds }) => seconds,
        cell: ({ seconds, started }) => (started ? formats.duration(seconds) : '–'),
        numeric: true,
        width: 92,
      },
    ],
    [t, formats, chosen, onChoose],
  )
}
