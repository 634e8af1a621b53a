import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'

/** Whether the job stores nothing: it writes no files, so there is nothing to view or export. */
export function isDryRun({ definition }: Pick<JobWhole, 'definition'>): boolean {
  return definition.connectors?.output === 'null'
}
