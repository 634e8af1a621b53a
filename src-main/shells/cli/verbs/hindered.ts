/** A job that the disk stopped, for the verbs that follow a job to its end. */
import type { JobSummary } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/faults.ts'
import { sentence } from '../complaint.ts'

/** It waits for a person; a command that waits with it would look as if it worked. */
export function refuseWhenHindered({ state, reason, job }: JobSummary): void {
  if (state !== 'PAUSED' || reason === null) return
  const code = /\b(free|space)\b/i.test(reason) ? 'noSpace' : 'refused'
  throw new Fault(code, `Job ${job} is paused. ${sentence(reason)} The same command again goes on with it.`)
}
