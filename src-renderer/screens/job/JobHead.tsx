/** A job's name, state, seeds and buttons. */
import { useState } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import type { JobStore } from '../../state/job.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { HarvestDrawer } from '../harvest/HarvestDrawer.tsx'
import { jobLook } from '../jobs/jobWords.ts'
import { useExportAtHand } from '../jobs/useExportAtHand.ts'
import { isDryRun } from './isDryRun.ts'
import { JobButtons } from './JobButtons.tsx'
import styles from './job.module.css'

export function JobHead({ job, store }: { job: JobWhole; store: JobStore }) {
  const t = useWords()
  const [isEditing, setEditing] = useState(false)
  useExportAtHand(isDryRun(job) ? [] : [job])
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'jobs' })}>
        {t('job.all')}
      </a>
      <PageHead
        title={t('job.title', { job: job.job, name: job.harvest })}
        aside={<ToneBadge {...jobLook(t, job)} />}
        actions={<JobButtons job={job} store={store} onEdit={() => setEditing(true)} />}
      />
      <HarvestDrawer opened={isEditing} onClose={() => setEditing(false)} edited={job} />
      {job.kind === 'event' && (
        <p className={`dimmed wrap ${styles.jobSeeds}`}>{t('job.seeds', { seeds: seedsWords(t, job.seeds) })}</p>
      )}
    </>
  )
}

/** A harvest may have thousands of seeds; its definition lists all of them. */
const seedsShownMax = 3

function seedsWords(t: Translate, seeds: readonly string[]): string {
  const shown = seeds.slice(0, seedsShownMax).join(', ')
  return seeds.length > seedsShownMax ? t('job.moreSeeds', { seeds: shown, more: seeds.length - seedsShownMax }) : shown
}
