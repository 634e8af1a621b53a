/** Findings of a job: the messages on its page that need attention, and how many findings each of them counts. Pure. Rule
 *  violations inside imported files are not listed here one by one: there may be thousands, and they have a list of their
 *  own. */
import { message, type Message } from '../../contract/words/message.ts'
import type { JobSummary } from '../../contract/services/jobSummary.ts'
import type { JobWhole } from '../../contract/services/jobDetails.ts'

type JobFinding = JobWhole['findings'][number]
type FindingCounts = JobSummary['findingCounts']

/** How a run stands or ended. */
export interface RunEnd {
  kind: 'event' | 'import'
  /** Whether the run has ended: nothing more is fetched. */
  isOver: boolean
  /** The problem that stopped or ended the run; null if there is none. */
  error: Message | null
  stopReason: string | null
  fetched: number
  /** Whether this is a dry run: nothing is archived. */
  isDry: boolean
  /** For an import without captures: how many files it took in, and whether the archive already had the others. */
  files: { imported: number; areKnown: boolean }
}

/** Counts from which the number of findings is computed. */
export interface RunCounts {
  failed: number
  truncated: number
  /** Findings inside the files of an import. */
  inFiles: FindingCounts
}

/** Counts of URLs, captures and files that `jobFindings` turns into findings. */
export interface FindingGroups extends Pick<JobWhole, 'byReason' | 'byTruncation'> {
  /** Number of files that an import could not take in. */
  filesRefused: number
  filesWithErrors: number
}

/** Returns the findings about the run as a whole. */
function ofRun({ kind, isOver, error, stopReason, fetched, isDry, files }: RunEnd): JobFinding[] {
  const one = (level: JobFinding['level'], message: Message): JobFinding => ({ level, message, count: 1 })
  return [
    ...(error === null ? [] : [one('error', error)]),
    ...(isOver && fetched === 0
      ? [kind === 'import' ? withoutCaptures(files) : one('error', message('jobFinding.nothingFetched'))]
      : []),
    ...(isOver && stopReason === 'DOWNLOAD_UNFINISHED' ? [one('warning', message('jobFinding.stopped'))] : []),
    ...(isOver && isDry ? [one('note', message('jobFinding.dryRun'))] : []),
  ]
}

/** Lists the findings of a job, errors first. */
export function jobFindings(end: RunEnd, { byReason, byTruncation, ...files }: FindingGroups): JobFinding[] {
  const failed = byReason
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ message: reason, documents: count }) => ({
      level: 'warning' as const,
      message: message('jobFinding.failed', { count, reason }),
      count,
    }))
  const truncated = byTruncation.map(({ message: reason, documents: count }) => ({
    level: 'warning' as const,
    message: message('jobFinding.truncated', { count, reason }),
    count,
  }))
  const about = ofRun(end)
  const errors = about.filter(({ level }) => level === 'error')
  const others = about.filter(({ level }) => level !== 'error')
  return [...errors, ...importErrors(files), ...others, ...truncated, ...failed]
}

/** Sums the counts of `jobFindings` by level; for an import, returns the counts of the findings inside its files. */
export function findingCountsOf(end: RunEnd, { failed, truncated, inFiles }: RunCounts): FindingCounts {
  if (end.kind === 'import') return inFiles
  const about = ofRun(end)
  const at = (level: JobFinding['level']) => about.filter((finding) => finding.level === level).length
  return { errors: at('error'), warnings: at('warning') + failed + truncated, notes: at('note') }
}

function importErrors({
  filesRefused,
  filesWithErrors,
}: Omit<FindingGroups, 'byReason' | 'byTruncation'>): JobFinding[] {
  const error = (count: number, code: 'jobFinding.filesRefused' | 'jobFinding.filesWithErrors'): JobFinding[] =>
    count > 0 ? [{ level: 'error', message: message(code, { count }), count }] : []
  return [...error(filesRefused, 'jobFinding.filesRefused'), ...error(filesWithErrors, 'jobFinding.filesWithErrors')]
}

/** Returns the finding for an import that ended without a capture: its files may hold only logs or metadata. */
function withoutCaptures({ imported, areKnown }: RunEnd['files']): JobFinding {
  if (imported === 0 && areKnown) return { level: 'note', message: message('jobFinding.filesKnown'), count: 1 }
  if (imported === 0) return { level: 'error', message: message('jobFinding.noFiles'), count: 1 }
  return { level: 'warning', message: message('jobFinding.noCaptures', { count: imported }), count: imported }
}
