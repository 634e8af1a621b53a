/** The live list of all jobs. An archive without jobs shows the start screen instead. */
import {} from '@mantine/core'
import { FileInput, FileOutput, Plus } from 'lucide-react'
import { useStore } from 'zustand'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import { Table } from '../../parts/Table.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useJobColumns } from './jobColumns.tsx'
import { useExportAtHand } from './useExportAtHand.ts'

export function JobsScreen({ jobs }: { jobs: readonly JobSummary[] }) {
  const t = useWords()
  const { dialogs } = useSession()
  const { show } = useStore(dialogs)
  const selection = useRowSelection(numberOf, ({ job, harvest }) => t('jobs.choose', { job, name: harvest }))
  const columns = useJobColumns()
  const ended = jobs.filter(({ job, ended: end }) => end !== null && selection.keys.has(job))
  useExportAtHand(ended)
  return (
    <>
      <PageHead
        title={t('jobs.title')}
        actions={
          <>
            <ActionButton
              needs="exports.start"
              variant="default"
              leftSection={<FileOutput size={16} aria-hidden />}
              why={jobs.every((job) => job.ended === null) ? t('chooser.running') : null}
              onClick={() => show('export')}
            >
              {ended.length === 0 ? t('jobs.export') : t('jobs.export.chosen', { count: ended.length })}
            </ActionButton>
            <ActionButton
              needs="harvests.import"
              variant="default"
              leftSection={<FileInput size={16} aria-hidden />}
              onClick={() => show('import')}
            >
              {t('jobs.import')}
            </ActionButton>
            <ActionButton
              needs="harvests.create"
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => show('harvest')}
            >
              {t('jobs.new')}
            </ActionButton>
          </>
        }
      />
      <Table
        label={t('jobs.title')}
        rows={jobs}
        columns={columns}
        selection={selection}
        rowKey={({ job }) => job}
        sortedBy={{ id: 'job', desc: true }}
        heightMax="calc(100vh - 190px)"
        empty={null}
      />
    </>
  )
}

function numberOf({ job }: JobSummary): number {
  return job
}
