/** What needs attention in a job: the sentences on its page, and how many findings they stand for. Pure. Places in imported files that
 *  break a rule are not here sentence by sentence: there may be thousands, and they have a list of their own. */
import type { JobSummary, JobWhole } from '../../contract/contract.ts'

type JobFinding = JobWhole['findings'][number]
type FindingCounts = JobSummary['findingCounts']

/** How a run ended. */
export interface RunEnd {
  kind: 'event' | 'import'
  /** Nothing more is fetched. */
  isOver: boolean
  /** Why it is in trouble, or ended so; null: it is not. */
  error: string | null
  stopReason: string | null
  fetched: number
  /** Nothing is written down. */
  isDry: boolean
  /** Of an import that has no captures: how many files it took in, and whether the others were archived before. */
  files: { imported: number; areKnown: boolean }
}

export interface RunCounts {
  failed: number
  truncated: number
  /** In the files of an import. */
  inFiles: FindingCounts
}

export interface FindingGroups extends Pick<JobWhole, 'byReason' | 'byTruncation'> {
  /** Files of an import. */
  filesRefused: number
  filesWithErrors: number
}

/** One for each sentence about the run as a whole. */
function ofRun({ kind, isOver, error, stopReason, fetched, isDry, files }: RunEnd): JobFinding[] {
  const one = (level: JobFinding['level'], text: string): JobFinding => ({ level, text, count: 1 })
  return [
    ...(error === null ? [] : [one('error', error)]),
    ...(isOver && fetched === 0
      ? [kind === 'import' ? withoutCaptures(files) : one('error', 'Nothing was fetched.')]
      : []),
    ...(isOver && stopReason === 'DOWNLOAD_UNFINISHED'
      ? [one('warning', 'The job was stopped early. URLs still in the queue were not fetched.')]
      : []),
    ...(isOver && isDry ? [one('note', 'Dry run: URLs were counted, nothing was archived.')] : []),
  ]
}

export function jobFindings(end: RunEnd, { byReason, byTruncation, ...files }: FindingGroups): JobFinding[] {
  const failed = byReason
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ text, documents: count }) => ({
      level: 'warning' as const,
      text: `${count} ${count === 1 ? 'URL' : 'URLs'}: ${text}`,
      count,
    }))
  const truncated = byTruncation.map(({ text, documents: count }) => ({
    level: 'warning' as const,
    text: `${count} ${count === 1 ? 'capture is' : 'captures are'} incomplete: ${text}`,
    count,
  }))
  const about = ofRun(end)
  const errors = about.filter(({ level }) => level === 'error')
  const others = about.filter(({ level }) => level !== 'error')
  return [...errors, ...importErrors(files), ...others, ...truncated, ...failed]
}

/** The sums of the counts of `jobFindings` by level; of an import what is in its files. */
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
  const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`
  const error = (count: number, text: string): JobFinding[] => (count > 0 ? [{ level: 'error', text, count }] : [])
  return [
    ...error(filesRefused, `${files(filesRefused)} could not be imported. See the list of files for the reasons.`),
    ...error(filesWithErrors, `Errors were found in ${files(filesWithErrors)}. See the findings.`),
  ]
}

/** What it means that an import has ended without a capture: its files may hold logs or metadata alone. */
function withoutCaptures({ imported, areKnown }: RunEnd['files']): JobFinding {
  if (imported === 0 && areKnown)
    return {
      level: 'note',
      text: 'No files imported: the archive already has them.',
      count: 1,
    }
  if (imported === 0) return { level: 'error', text: 'No files imported.', count: 1 }
  const files = imported === 1 ? 'The imported file has' : `The ${imported} imported files have`
  return { level: 'warning', text: `${files} no captures, so there is nothing to replay.`, count: imported }
}
