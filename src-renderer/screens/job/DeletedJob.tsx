/** A deleted job and its archived files. */
import {} from '@mantine/core'
import { Eye, FileOutput } from 'lucide-react'
import { useCallback } from 'react'
import type { DeletedJob as Deleted } from '../../../src-main/contract/services/jobSummary.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { everyFile, queryOf } from '../copies/fileFilter.ts'
import { hrefOf } from '../../routes/routes.ts'
import styles from './job.module.css'

/** `job` is a number that no existing job has. */
export function DeletedJob({ job }: { job: number }) {
  const t = useWords()
  const { services } = useSession()
  const [deleted, again] = useLoaded(useCallback(() => services.jobs.deleted({}), [services]))
  return (
    <Await of={deleted} onRetry={again}>
      {(list) => {
        const found = list.find((one) => one.job === job)
        if (found) return <WhatIsLeft deleted={found} />
        return (
          <EmptyState title={t('noJob.title', { job })} text={t('noJob.text')}>
            <a href={hrefOf({ place: 'jobs' })}>{t('chooser.toJobs')}</a>
          </EmptyState>
        )
      }}
    </Await>
  )
}

function WhatIsLeft({ deleted: { job, name, deleted, files, bytes } }: { deleted: Deleted }) {
  const t = useWords()
  const { dialogs } = useSession()
  const formats = useFormats()
  const filter = queryOf({ ...everyFile, job })
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'jobs' })}>
        {t('job.all')}
      </a>
      <PageHead
        title={t('deletedJob.title', { job, name: name ?? t('deletedJob.noName') })}
        actions={
          <>
            <ActionButton
              needs="exports.start"
              variant="default"
              leftSection={<FileOutput size={16} aria-hidden />}
              onClick={() => dialogs.getState().show('export', { jobs: [job] })}
            >
              {t('job.export')}
            </ActionButton>
            <LinkButton leftSection={<Eye size={16} aria-hidden />} href={hrefOf({ place: 'viewer', jobs: [job] })}>
              {t('job.view')}
            </LinkButton>
          </>
        }
      />
      <p className={styles.jobReason}>{t('deletedJob.text')}</p>
      <div className="card">
        <Facts
          facts={[
            {
              name: t('deletedJob.deleted'),
              value: deleted ? timeUtc(deleted) : t('deletedJob.deleted.unknown'),
            },
            { name: t('deletedJob.files'), value: formats.count(files) },
            { name: t('jobs.bytes'), value: formats.bytes(bytes) },
          ]}
        />
      </div>
      <p>
        <a href={hrefOf({ place: 'archive', tab: 'files', filter })}>{t('deletedJob.toFiles')}</a>
      </p>
    </>
  )
}
