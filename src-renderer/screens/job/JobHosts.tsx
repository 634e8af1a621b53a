/** The hosts of a job with their counts and errors. */
import { useMemo } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords } from '../../words/words.tsx'

type Host = JobWhole['hosts'][number]

export function JobHosts({ job }: { job: JobWhole }) {
  const t = useWords()
  const { count } = useFormats()
  const columns = useMemo<Column<Host>[]>(() => {
    const counted = (id: 'queued' | 'fetched' | 'failed' | 'excluded', head: string): Column<Host> => ({
      id,
      head,
      value: (host) => host[id],
      cell: (host) => count(host[id]),
      numeric: true,
      width: 110,
    })
    return [
      { id: 'origin', head: t('job.host'), value: ({ origin }) => origin },
      counted('queued', t('job.queued')),
      counted('fetched', t('job.fetched')),
      counted('failed', t('job.failed')),
      counted('excluded', t('job.excluded')),
    ]
  }, [t, count])
  const hosts = useMemo(() => job.hosts.filter(isCounted), [job.hosts])
  return (
    <Section title={t('job.hosts')}>
      <Table
        label={t('job.hosts')}
        rows={hosts}
        columns={columns}
        rowKey={({ origin }) => origin}
        sortedBy={{ id: 'fetched', desc: true }}
        heightMax={320}
        empty={<EmptyState title={t('job.hosts.empty')} text={t('job.hosts.empty.text')} />}
      />
    </Section>
  )
}

/** Whether the job has URLs of the host. Of a host that it only knows from links, all of them may have left the queue. */
function isCounted({ queued, fetched, failed, excluded }: Host): boolean {
  return queued + fetched + failed + excluded > 0
}
