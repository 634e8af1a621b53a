/** One job: its state, the actions on it, and its details. */
import { Alert } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { hrefOf, jobTabs, type JobTab } from '../../routes/routes.ts'
import { useJobSchedule } from '../../state/jobSchedule.ts'
import { makeJob, type JobStore } from '../../state/job.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { findingIcons } from '../findings/severity.tsx'
import { JobHarvest } from '../generated/JobHarvest.tsx'
import { isAtRest, reasonWords } from '../jobs/jobWords.ts'
import { JobQueue } from '../queue/JobQueue.tsx'
import { isDryRun } from './isDryRun.ts'
import { DeletedJob } from './DeletedJob.tsx'
import { ImportBody } from './ImportBody.tsx'
import { JobCharts } from './JobCharts.tsx'
import { JobDefinition } from './JobDefinition.tsx'
import { JobDocuments } from './JobDocuments.tsx'
import { JobFiles } from './JobFiles.tsx'
import { JobHead } from './JobHead.tsx'
import { JobHosts } from './JobHosts.tsx'
import { JobLinks } from './JobLinks.tsx'
import { JobLog } from './JobLog.tsx'
import { JobOutputs } from './JobOutputs.tsx'
import { JobPace } from './JobPace.tsx'
import { JobProgress } from './JobProgress.tsx'
import { JobRuns } from './JobRuns.tsx'
import { JobReports } from './JobReports.tsx'
import { JobWindow } from './JobWindow.tsx'
import styles from './job.module.css'

/** Mounted again for each job (by its key), so that its store lives as long as the screen. */
export function JobScreen({ job, tab }: { job: number; tab?: JobTab | undefined }) {
  const { services } = useSession()
  const store = useMemo(() => makeJob(services, job), [services, job])
  const { whole, load, refusal } = useStore(store)
  useEffect(() => {
    store.open()
    return () => store.close()
  }, [store])
  if (whole.is === 'refused' && whole.fault.code === 'notFound') return <DeletedJob job={job} />
  return (
    <Await of={whole} onRetry={() => void load()}>
      {(value) => (
        <>
          <JobHead job={value} store={store} />
          {refusal && <FaultNote fault={refusal} />}
          <Reason job={value} />
          {value.kind === 'import' ? (
            <ImportBody job={value} store={store} />
          ) : (
            <HarvestBody job={value} store={store} tab={tab ?? jobTabs[0]} />
          )}
        </>
      )}
    </Await>
  )
}

interface HarvestBodyProps {
  job: JobWhole
  store: JobStore
  tab: JobTab
}

function HarvestBody({ job, store, tab }: HarvestBodyProps) {
  const t = useWords()
  return (
    <>
      <nav className="tabs" aria-label={t('job.tabs')}>
        {jobTabs.map((each) => (
          <a
            key={each}
            href={hrefOf({ place: 'job', job: job.job, tab: each })}
            aria-current={each === tab ? 'page' : undefined}
          >
            {t(`job.tab.${each}`)}
          </a>
        ))}
        {!isDryRun(job) && <a href={hrefOf({ place: 'missing', jobs: [job.job] })}>{t('job.missing')}</a>}
        {!isDryRun(job) && <a href={hrefOf({ place: 'pageAudits', job: job.job })}>{t('job.pageAudits')}</a>}
      </nav>
      <TabBody job={job} store={store} tab={tab} />
    </>
  )
}

function TabBody({ job, store, tab }: HarvestBodyProps) {
  switch (tab) {
    case 'results':
      return (
        <>
          <JobProgress job={job} />
          <JobPace job={job} />
          <JobHarvest job={job.job} />
          <JobRuns job={job} />
          <JobCharts job={job} />
        </>
      )
    case 'urls':
      return (
        <>
          <JobQueue job={job} />
          <JobDocuments job={job} store={store} />
          <JobHosts job={job} />
          <JobLinks job={job.job} />
        </>
      )
    case 'files':
      return (
        <>
          <JobFiles job={job} />
          <JobReports job={job.job} />
          <JobOutputs job={job} />
        </>
      )
    case 'log':
      return <JobLog store={store} />
    case 'definition':
      return <DefinitionTab job={job} />
  }
}

function DefinitionTab({ job }: { job: JobWhole }) {
  const { schedule, load } = useJobSchedule(job)
  return (
    <>
      {!job.isGenerated && <JobWindow schedule={schedule} load={load} />}
      <JobDefinition job={job} schedule={schedule} />
    </>
  )
}

function Reason({ job }: { job: JobWhole }) {
  const t = useWords()
  const findings = job.findings.map(({ level, message }) => ({ level, text: t(message) }))
  // A job at rest shows why it ended. Any other shows what it does, or why it does nothing.
  const reason = isAtRest(job) ? reasonWords(t, job) : t(job.doing)
  return (
    <>
      {reason && !findings.some(({ text }) => text === reason) && <p className={styles.jobReason}>{reason}</p>}
      {findings.map(({ level, text }) => {
        const { color, icon: Icon } = findingIcons[level]
        return (
          <Alert key={text} color={color} icon={<Icon aria-hidden />} mt="xs" p="xs">
            {text}
          </Alert>
        )
      })}
    </>
  )
}
