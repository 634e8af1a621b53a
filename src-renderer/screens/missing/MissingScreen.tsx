/** What is missing from jobs: the jobs that lack something, or the missing URLs of some of them. */
import { useMemo } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { Workbench } from './Workbench.tsx'

/** Mounted again for other jobs (by its key). */
export function MissingScreen({ jobs }: { jobs: number[] }) {
  const t = useWords()
  if (jobs.length === 0)
    return (
      <>
        <PageHead title={t('missing.title')} />
        <JobsWithMisses />
      </>
    )
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'missing', jobs: [] })}>
        {t('missing.allJobs')}
      </a>
      <PageHead
        title={t('missing.title.jobs', { count: jobs.length, jobs: jobs.join(', ') })}
        actions={
          <LinkButton variant="default" href={hrefOf({ place: 'viewer', jobs })}>
            {t('missing.view')}
          </LinkButton>
        }
      />
      <Workbench jobs={jobs} />
    </>
  )
}

type JobRow = Awaited<ReturnType<Loupe['misses']['jobs']>>[number]

function JobsWithMisses() {
  const t = useWords()
  const { services } = useSession()
  const [rows, reload] = useLoaded(useMemo(() => () => services.misses.jobs({}), [services]))
  const columns = useMemo<Column<JobRow>[]>(
    () => [
      {
        id: 'job',
        head: t('missing.jobs.job'),
        value: ({ job }) => job,
        cell: ({ job }) => <a href={hrefOf({ place: 'missing', jobs: [job] })}>{t('missing.jobs.jobLink', { job })}</a>,
        width: 120,
      },
      { id: 'name', head: t('missing.jobs.name'), value: ({ name }) => name },
      { id: 'open', head: t('missing.jobs.open'), value: ({ open }) => open, numeric: true, width: 120 },
      { id: 'total', head: t('missing.jobs.total'), value: ({ total }) => total, numeric: true, width: 120 },
    ],
    [t],
  )
  return (
    <Await of={rows} onRetry={reload}>
      {(found) => (
        <Table
          label={t('missing.jobs')}
          rows={found}
          columns={columns}
          rowKey={({ job }) => job}
          empty={<EmptyState title={t('missing.jobs.none')} text={t('missing.jobs.none.text')} />}
        />
      )}
    </Await>
  )
}
