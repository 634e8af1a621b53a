/** How the verbs that follow a job end when the disk or a replica stopped it. */
import type { JobSummary } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { sentence } from '../output/complaint.ts'

/** It waits for a person; a command that waits with it would look as if it worked. */
export function refuseWhenHindered({ state, reason, reasonCode, job }: JobSummary): void {
  if (state !== 'PAUSED' || reason === null) return
  throw new Fault(
    reasonCode ?? 'refused',
    `Job ${job} is paused. ${sentence(reason)} The same command again goes on with it.`,
  )
}

/** It has ended, and a replica had no room for its files: its own exit code, also in scripts. */
export function refuseWithoutRoom({ reason, reasonCode, job }: JobSummary): void {
  if (reasonCode === 'noSpace' && reason !== null) throw new Fault(reasonCode, `Job ${job}: ${sentence(reason)}`)
}
