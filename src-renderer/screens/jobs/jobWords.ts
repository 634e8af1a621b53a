/** Texts and tones for the state and end of a job, where the state table is not enough for a job that is not running. */
import { stopMessage, type JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { editIn } from '../../../src-main/contract/states/jobStates.ts'
import { jobStates } from '../../../src-main/contract/states/states.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import type { JobAction } from '../../state/job.ts'
import type { Translate } from '../../words/words.tsx'

type JobState = (typeof jobStates.states)[number]
type JobEvent = (typeof jobStates.moves)[number]['event']

/** Tones of a job that is not running. The keys are values of its `status` in the contract. */
const endedTones: Record<string, Tone> = {
  Done: 'done',
  'Done, incomplete': 'attention',
  'Done, with errors': 'attention',
  Empty: 'attention',
  Stopped: 'attention',
  Error: 'failed',
}

export function jobLook(
  t: Translate,
  job: Pick<JobSummary, 'state' | 'status'>,
): {
  tone: Tone
  text: string
  meaning: string | undefined
} {
  const row = isJobState(job.state) ? jobStates.rows[job.state] : undefined
  const tone = row?.tone ?? 'idle'
  const meaning = row && t(row.meaning)
  return tone === 'idle'
    ? { tone: endedTones[job.status] ?? 'idle', text: job.status, meaning }
    : { tone, text: row ? t(row.badge) : job.status, meaning }
}

/** The reason why an action on the job is disabled; null where it is enabled. */
export function whyNot(t: Translate, job: Pick<JobSummary, 'state' | 'status'>, action: JobAction): string | null {
  if (isJobState(job.state) && jobStates.next(job.state, action satisfies JobEvent)) return null
  return t(`job.${action}.why`, { state: jobLook(t, job).text })
}

/** The reason why the definition cannot be edited; null where it can, at least in part. */
export function whyNotEdited(t: Translate, job: Pick<JobSummary, 'state' | 'status'>): string | null {
  const edit = isJobState(job.state) ? editIn(job.state) : 'deleting'
  return edit === 'ending' || edit === 'deleting' ? t(`job.edit.why.${edit}`, { state: jobLook(t, job).text }) : null
}

/** Whether stopping ends the job at once, because only storing its files is left. */
export function endsAtOnce({ state }: Pick<JobSummary, 'state'>): boolean {
  return isJobState(state) && jobStates.next(state, 'abort') === jobStates.initial
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

function isJobState(state: string): state is JobState {
  return Object.hasOwn(jobStates.rows, state)
}
