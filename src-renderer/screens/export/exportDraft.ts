/** The export form as it is filled in, and the request made of it. Pure. */
import type { ExportRequest } from '../../../src-main/contract/services/exports.ts'
import { isEmpty, selectionOf, type WholeSelection } from '../../../src-main/contract/shapes/selection.ts'

export interface ExportDraft extends WholeSelection {
  /** The search whose matches are exported; null: the selection is. */
  matching: NonNullable<ExportRequest['matching']> | null
  format: ExportRequest['format']
  url: string
  /** Value of a field of type datetime-local: without a zone, meant as UTC. */
  from: string
  to: string
  path: string
  withOriginals: boolean
  /** Used for WACZ only. */
  waczVersion: ExportRequest['waczVersion']
  sign: boolean
}

/** Fields of the request that can be invalid. */
export type ExportField = 'jobs' | 'files' | 'path' | 'url' | 'from' | 'to'

export type ExportProblem = 'nothing' | 'noPath' | 'toBeforeFrom'

const endings: Record<ExportRequest['format'], string> = {
  warc: '.warc.gz',
  wacz: '.wacz',
  csv: '.csv',
  cdx: '.cdx',
  cdxj: '.cdxj',
}
/** With more jobs than this, a file name has their count instead of their numbers. */
const jobsInNameMax = 3

export function problemOf({ path, from, to, ...draft }: ExportDraft): ExportProblem | null {
  if (isEmpty(draft)) return 'nothing'
  if (from !== '' && to !== '' && to < from) return 'toBeforeFrom'
  return path.trim() === '' ? 'noPath' : null
}

export function requestOf(draft: ExportDraft): ExportRequest {
  const { matching, url, from, to, path, sign, format, withOriginals, waczVersion } = draft
  const { jobs, files, all } = selectionOf(draft)
  return {
    ...{ jobs: [...jobs], files: [...files], all, format, withOriginals, waczVersion },
    // The choice for WACZ stays in the form, but is not sent for other formats.
    sign: sign && format === 'wacz',
    path: path.trim(),
    ...(matching && { matching }),
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    ...(from === '' ? {} : { from: momentOf(from) }),
    ...(to === '' ? {} : { to: momentOf(to) }),
  }
}

/** For example `jobs-3-4-20261120T1630.wacz`: describes the selection, and is new every minute. */
export function suggestedName(draft: WholeSelection & Pick<ExportDraft, 'format' | 'matching'>, now: Date): string {
  const { jobs, files, all } = selectionOf(draft)
  const which = draft.matching ? 'search' : all ? 'archive' : [...jobsInName(jobs), ...filesInName(files)].join('-and-')
  const moment = now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '')
  return `${which}-${moment}${endings[draft.format]}`
}

function jobsInName(jobs: readonly number[]): string[] {
  if (jobs.length === 0) return []
  if (jobs.length === 1) return [`job-${jobs[0]}`]
  return [jobs.length <= jobsInNameMax ? `jobs-${jobs.join('-')}` : `${jobs.length}-jobs`]
}

/** The name of a single file, without its ending. */
function filesInName(files: readonly string[]): string[] {
  const [only] = files
  if (only === undefined) return []
  return [files.length === 1 ? only.replace(/\.w?arc(\.gz|\.zst)?$/i, '') : `${files.length}-files`]
}

/** A path in the folder, with the separator that the folder's path uses. */
export function pathIn(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}

function momentOf(local: string): string {
  return new Date(`${local}Z`).toISOString()
}
