/** Actions on a job that cannot be taken back: the user confirms each of them first. */
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { useConfirm } from '../../parts/confirm.tsx'
import { goTo } from '../../routes/routes.ts'
import type { JobState } from '../../state/job.ts'
import { useWords } from '../../words/words.tsx'
import { useStopJob } from '../jobs/useStopJob.ts'

/** The ways to begin a run. Those that restart end the current run. */
export type RunAction = 'start' | 'startMinimal' | 'restart' | 'restartMinimal'

export interface JobActions {
  stop(): Promise<void>
  run(action: RunAction): Promise<void>
  remove(): Promise<void>
}

export function useJobActions(job: JobWhole, act: JobState['act']): JobActions {
  const t = useWords()
  const confirm = useConfirm()
  return {
    stop: useStopJob(job, () => act('abort')),
    run: async (action) => {
      const isAgreed =
        action === 'start' ||
        action === 'startMinimal' ||
        (await confirm({
          title: t('job.restart.title', { name: job.harvest }),
          text: t(`job.${action}.text`),
          verb: t('job.restart.verb'),
        }))
      if (isAgreed) await act(action)
    },
    remove: async () => {
      const isAgreed = await confirm({
        title: t('job.delete.title', { name: job.harvest }),
        text: t('job.delete.text', { job: String(job.job) }),
        verb: t('job.delete.verb'),
      })
      if (isAgreed && (await act('delete'))) goTo({ place: 'jobs' })
    },
  }
}
