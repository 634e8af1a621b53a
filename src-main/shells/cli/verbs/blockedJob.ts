/** How the verbs that follow a job end when the disk or a replica has stopped it. */
import type { JobSummary } from '../../../contract/services/jobSummary.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { message } from '../../../contract/words/message.ts'

/** Throws `Fault` where the job is paused: it waits for a user, and a command that waited too would appear to be working. */
export function refuseWhenBlocked({ state, reason, reasonCode, job }: JobSummary): void {
  if (state !== 'PAUSED' || reason === null) return
  throw new Fault(reasonCode ?? 'refused', message('cli.job.pausedBy', { job, reason }))
}

/** Throws `Fault` noSpace where a replica had no room for the files of the job, so that scripts get its exit code. */
export function refuseWithoutRoom({ reason, reasonCode, job }: JobSummary): void {
  if (reasonCode === 'noSpace' && reason !== null)
    throw new Fault(reasonCode, message('cli.job.reason', { job, reason }))
}
