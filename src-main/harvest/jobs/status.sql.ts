/** The status of a generated job as an SQL expression, made from the table of `contract/states/generatedStatuses.ts`. */
import { generatedStatusIn, type GeneratedStatus } from '../../contract/states/generatedStatuses.ts'
import { jobStates } from '../../contract/states/jobStates.ts'

function statesWith(status: GeneratedStatus): string {
  const states = jobStates.states.filter((state) => generatedStatusIn(state) === status)
  return states.map((state) => `'${state}'`).join(', ')
}

/** An expression over `job` and `generated_job` with the status as its value. */
export const statusExpression = `CASE
  WHEN generated_job.resubmitted_as IS NOT NULL THEN 'RESUBMITTED'
  WHEN job.state IN (${statesWith('SUBMITTED')}) THEN 'SUBMITTED'
  WHEN job.state IN (${statesWith('STARTED')}) THEN 'STARTED'
  WHEN job.started_ms IS NULL THEN CASE WHEN generated_job.submitted_ms IS NULL THEN 'NEW' ELSE 'SUBMITTED' END
  WHEN job.error_text IS NULL THEN 'DONE'
  WHEN generated_job.rejected_ms IS NULL THEN 'FAILED'
  ELSE 'FAILED_REJECTED' END`
