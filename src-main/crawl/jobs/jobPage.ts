/** The page of a job: its summary, definition, runs, figures and findings. Its files are known only to the archive. */
import type { JobWhole } from '../../contract/services/jobDetails.ts'
import { truncationMessage } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { doingNow } from '../live/doingNow.ts'
import { hostsOf } from '../live/hostsNow.ts'
import { documentCountStatements } from '../model/jobDocuments.sql.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { runEndStatements } from '../model/runs.sql.ts'
import { noEngineStatus } from '../schedule/status.ts'
import { definitionReader, fixedIn } from './jobDefinition.ts'
import { jobFindings } from './jobFindings.ts'
import { answersOf, earlierRunOf, lastRunOf } from './jobNumbers.ts'
import { isOver, type JobSummaries } from './jobSummaries.ts'
import { reasonOf } from './whyMissing.ts'

/** A job without the part that only the archive knows: its files. */
export type JobDetail = Omit<JobWhole, 'files' | 'fileBytes'>

/** Returns a function that composes the page of a job. */
export function jobPages(store: Store, clock: Clock, summaries: JobSummaries): (row: JobRow) => JobDetail {
  const { earlierRuns } = runEndStatements(store)
  const groupsOf = documentGroups(store)
  const definitionsOf = definitionReader(store)
  return (row) => {
    const job = row.id
    const nowMs = clock.now()
    const summary = summaries.summaryOf(row)
    const groups = groupsOf(job)
    const definitions = definitionsOf(row)
    const lastRun = lastRunOf(row, summary, isOver(row))
    return {
      ...summary,
      ...groups,
      doing: summaries.isNotRunning(row)
        ? noEngineStatus
        : doingNow(store, job, { hosts: hostsOf(store, { job, nowMs }), nowMs }),
      ...definitions,
      runs: [...(lastRun ? [lastRun] : []), ...earlierRuns.all({ job }).map(earlierRunOf)],
      answers: row.kind === 'import' ? null : answersOf(groups.byStatus, row),
      fixed: fixedIn(row, definitions.definition),
      findings: jobFindings(summaries.endOf(row, summary.reason), {
        ...{ byReason: groups.byReason, byTruncation: groups.byTruncation },
        ...{ filesRefused: row.filesRefused, filesWithErrors: row.filesWithErrors },
      }),
    }
  }
}

type DocumentGroups = Pick<JobDetail, 'byStatus' | 'byMediaType' | 'byReason' | 'byTruncation' | 'hosts'>

/** Returns a function that counts the documents of a job by status, media type, reason and host. */
function documentGroups(store: Store): (job: number) => DocumentGroups {
  const sql = documentCountStatements(store)
  return (job) => ({
    byStatus: sql.byStatus.all({ job }),
    byMediaType: sql.byMediaType.all({ job }),
    byReason: sql.byReason.all({ job }).map(({ outcome, reason, documents }) => ({
      outcome: outcome as 'failed' | 'excluded',
      reason,
      message: reasonOf(reason),
      documents,
    })),
    byTruncation: sql.byTruncation
      .all({ job })
      .map((each) => ({ ...each, message: truncationMessage(each.truncation) })),
    hosts: sql.byHost.all({ job }),
  })
}
