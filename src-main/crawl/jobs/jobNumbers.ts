/** Computes the numbers shown for a job and its runs from its database row, in one place; `docs/numbers.md` lists where each
 *  is shown. Pure. */
import { messageFrom } from '../../contract/words/message.ts'
import { stopReasons, type JobSummary } from '../../contract/services/jobSummary.ts'
import type { AnswerCounts, JobRun, JobWhole } from '../../contract/services/jobDetails.ts'
import { findingCountsOf, type RunEnd } from './jobFindings.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import type { RunRow } from '../model/runs.sql.ts'

type Counted = Pick<JobRow, 'total' | 'fetched' | 'failed' | 'excluded'>

/** Returns the progress of a job. Excluded URLs are not part of the work, so neither number counts them. */
export function progressOf({ total, fetched, failed, excluded }: Counted): JobSummary['progress'] {
  const done = fetched + failed
  return { done, total: Math.max(done, total - excluded) }
}

/** Counts the URLs of a run by the answer of their server. `failed` is the number of URLs that failed; an archived URL without a status
 *  between 200 and 599 counts as `other`. */
export function answersOf(
  byStatus: JobWhole['byStatus'],
  { fetched, failed }: Pick<Counted, 'fetched' | 'failed'>,
): AnswerCounts {
  const answers: AnswerCounts = {
    ...{ success: 0, redirects: 0, clientErrors: 0, notFound: 0, serverErrors: 0 },
    ...{ other: fetched, none: failed },
  }
  for (const { status, documents } of byStatus) {
    const name = classOf(status)
    if (name === undefined) continue
    answers[name] += documents
    answers.other -= documents
    if (status === '404') answers.notFound += documents
  }
  return { ...answers, other: Math.max(0, answers.other) }
}

const classes = { 2: 'success', 3: 'redirects', 4: 'clientErrors', 5: 'serverErrors' } as const

function classOf(status: string): (typeof classes)[keyof typeof classes] | undefined {
  // It says that an earlier capture is still right.
  if (status === '304') return 'success'
  return /^[2-5]\d\d$/.test(status) ? classes[Number(status[0]) as keyof typeof classes] : undefined
}

/** Describes the run that is in progress or ended last; undefined before the first start. */
export function lastRunOf(row: JobRow, summary: JobSummary, isOver: boolean): JobRun | undefined {
  if (summary.started === null) return undefined
  const { errors, warnings } = summary.findingCounts
  const reason = messageFrom(row.errorText)
  return {
    ...{ run: row.run, started: summary.started, ended: isOver ? summary.ended : null },
    ...{ seconds: summary.seconds, stopReason: summary.stopReason, reason },
    ...{ captures: summary.documents.fetched, bytes: summary.bytes, findings: errors + warnings },
  }
}

/** Describes a run that a later run of the same job has replaced. */
export function earlierRunOf({ startedMs, endedMs, runningMs, stopReason, errorText, ...row }: RunRow): JobRun {
  const reason = messageFrom(errorText)
  const end: RunEnd = {
    ...{ kind: 'event', isOver: endedMs !== null, error: reason, stopReason, fetched: row.fetched },
    ...{ isDry: false, files: { imported: 0, areKnown: false } },
  }
  const inFiles = { errors: 0, warnings: 0, notes: 0 }
  const counts =
    row.truncated === null ? undefined : findingCountsOf(end, { failed: row.failed, truncated: row.truncated, inFiles })
  return {
    ...{ run: row.run, started: new Date(startedMs).toISOString(), seconds: runningMs / 1000, reason },
    ended: endedMs === null ? null : new Date(endedMs).toISOString(),
    stopReason: stopReasons.find((reason) => reason === stopReason) ?? null,
    ...{ captures: row.fetched, bytes: row.bytes, findings: counts ? counts.errors + counts.warnings : null },
  }
}
