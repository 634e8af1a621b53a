/** What is typed into the export form, and the request that it is: pure. */
import type { ExportRequest } from '../../../src-main/contract/contract.ts'

export interface ExportDraft {
  jobs: readonly number[]
  format: ExportRequest['format']
  url: string
  /** As a field of kind datetime-local gives it: without a zone, meant as UTC. */
  from: string
  to: string
  path: string
  withOriginals: boolean
  /** Of a WACZ. */
  waczVersion: ExportRequest['waczVersion']
  sign: boolean
}

export type ExportProblem = 'noJobs' | 'noPath' | 'toBeforeFrom'

const endings: Record<ExportRequest['format'], string> = { warc: '.warc.gz', wacz: '.wacz', csv: '.csv' }
/** Names with the numbers of more jobs than this would say less than their count. */
const jobsInNameMax = 3

export function problemOf({ jobs, path, from, to }: ExportDraft): ExportProblem | null {
  if (jobs.length === 0) return 'noJobs'
  if (from !== '' && to !== '' && to < from) return 'toBeforeFrom'
  return path.trim() === '' ? 'noPath' : null
}

export function requestOf({ jobs, url, from, to, path, sign, format, ...same }: ExportDraft): ExportRequest {
  return {
    ...same,
    jobs: [...jobs],
    format,
    // What is chosen for a WACZ stays chosen in the form, and means nothing for the others.
    sign: sign && format === 'wacz',
    path: path.trim(),
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    ...(from === '' ? {} : { from: momentOf(from) }),
    ...(to === '' ? {} : { to: momentOf(to) }),
  }
}

/** `jobs-3-4-20261120T1630.wacz`: says what it is of, and is new every minute. */
export function suggestedName({ jobs, format }: Pick<ExportDraft, 'jobs' | 'format'>, now: Date): string {
  const sorted = jobs.toSorted((one, other) => one - other)
  const which =
    sorted.length === 1
      ? `job-${sorted[0]}`
      : sorted.length <= jobsInNameMax
        ? `jobs-${sorted.join('-')}`
        : `${sorted.length}-jobs`
  const moment = now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '')
  return `${which}-${moment}${endings[format]}`
}

/** In the folder, with the separator that the folder has. */
export function pathIn(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}

function momentOf(local: string): string {
  return new Date(`${local}Z`).toISOString()
}
