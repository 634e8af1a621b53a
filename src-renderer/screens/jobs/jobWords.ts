/** Texts and tones for the state and end of a job. */
import { stopMessage, type JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { editIn } from '../../../src-main/contract/states/jobStates.ts'
import { statusLabel, statusTone } from '../../../src-main/contract/states/jobStatuses.ts'
import { jobStates } from '../../../src-main/contract/states/states.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import type { JobAction } from '../../state/job.ts'
import type { Translate } from '../../words/words.tsx'

export function jobLook(
  t: Translate,
  { state, status }: Pick<JobSummary, 'state' | 'status'>,
): { tone: Tone; text: string; meaning: string } {
  return { tone: statusTone(status), text: t(statusLabel(status)), meaning: t(jobStates.rows[state].meaning) }
}

/** The reason why an action on the job is disabled; null where it is enabled. */
export function whyNot(
  t: Translate,
  job: Pick<JobSummary, 'state' | 'status' | 'isGenerated'>,
  action: JobAction,
): string | null {
  if (job.isGenerated && runsAgain.has(action)) return t('job.generated.why')
  if (jobStates.next(job.state, action)) return null
  return t(`job.${action}.why`, { state: jobLook(t, job).text })
}

/** Actions that a job of a harvest does not take, because it runs once. */
const runsAgain: ReadonlySet<JobAction> = new Set(['start', 'startMinimal', 'restart', 'restartMinimal'])

/** The reason why the definition cannot be edited; null where it can, at least in part. */
export function whyNotEdited(t: Translate, job: Pick<JobSummary, 'state' | 'status'>): string | null {
  const edit = editIn(job.state)
  return edit === 'ending' || edit === 'deleting' ? t(`job.edit.why.${edit}`, { state: jobLook(t, job).text }) : null
}

/** Whether stopping ends the job at once, because only storing its files is left. */
export function endsAtOnce({ state }: Pick<JobSummary, 'state'>): boolean {
  return jobStates.next(state, 'abort') === jobStates.initial
}

export function isAtRest({ state }: Pick<JobSummary, 'state'>): boolean {
  return state === jobStates.initial
}

/** The reason for the end or the wait of a job, as a sentence; null where there is none. */
export function reasonWords(t: Translate, job: Pick<JobSummary, 'kind' | 'stopReason' | 'reason'>): string | null {
  if (job.reason) return t(job.reason)
  // The results of an import are shown file by file.
  if (job.kind === 'import' && job.stopReason === 'DOWNLOAD_COMPLETE') return null
  return job.stopReason ? t(stopMessage(job.stopReason)) : null
}
