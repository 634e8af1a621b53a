/** A running harvest among the tasks. */
import { Square } from 'lucide-react'
import { useState } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { jobLook, whyNot } from '../jobs/jobWords.ts'
import { PauseButton } from '../jobs/PauseButton.tsx'
import { useStopJob } from '../jobs/useStopJob.ts'
import styles from './tasks.module.css'

export function RunningJob({ job, onLeave }: { job: JobSummary; onLeave: () => void }) {
  const t = useWords()
  const { count, perSecond } = useFormats()
  const { services } = useSession()
  const [fault, setFault] = useState<Fault | null>(null)
  const act = (request: () => Promise<unknown>) => {
    setFault(null)
    return request().catch((error: unknown) => setFault(faultFrom(error)))
  }
  const stop = useStopJob(job, () => act(() => services.jobs.abort({ job: job.job })))
  const name = t('job.title', { job: job.job, name: job.harvest })
  const { done, total } = job.progress
  const text = t('job.of', { done: count(done), total: count(total) })
  return (
    <li className="card" aria-label={name}>
      <div className={styles.head}>
        <ToneBadge {...jobLook(t, job)} />
        <div className={styles.actions}>
          <PauseButton job={job} isSmall onAct={(action) => void act(() => services.jobs[action]({ job: job.job }))} />
          <ActionButton
            needs="jobs.abort"
            size="compact-sm"
            variant="default"
            leftSection={<Square size={14} aria-hidden />}
            why={whyNot(t, job, 'abort')}
            onClick={() => void stop()}
          >
            {t('job.stop')}
          </ActionButton>
        </div>
      </div>
      <a href={hrefOf({ place: 'job', job: job.job })} onClick={onLeave}>
        {name}
      </a>
      <Meter
        name={t('job.settled')}
        done={done}
        total={Math.max(1, total)}
        text={job.documentsPerSecond > 0 ? `${text} · ${perSecond(job.documentsPerSecond)}` : text}
      />
      {fault && <FaultNote fault={fault} />}
    </li>
  )
}
