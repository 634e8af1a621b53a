/** Asks before a job is stopped. */
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { useConfirm } from '../../parts/confirm.tsx'
import { useWords } from '../../words/words.tsx'
import { endsAtOnce } from './jobWords.ts'

export function useStopJob(
  job: Pick<JobSummary, 'harvest' | 'queued' | 'state'>,
  stop: () => Promise<unknown>,
): () => Promise<void> {
  const t = useWords()
  const confirm = useConfirm()
  return async () => {
    const isAgreed = await confirm({
      title: t('job.stop.title', { name: job.harvest }),
      text: endsAtOnce(job) ? t('job.stop.storing') : t('job.stop.text', { queued: job.queued }),
      verb: t('job.stop.verb'),
    })
    if (isAgreed) await stop()
  }
}
