/** Where a result leads: the viewer at its capture, and its record. */
import type { SearchResult } from '../../../src-main/contract/services/search.ts'
import { hrefOf } from '../../routes/routes.ts'

type Place = Pick<SearchResult, 'url' | 'time' | 'job' | 'file'>

/** The text index has the second of a capture, and its milliseconds are not known: nearest to the middle of the second is a capture of it, and
 *  of two seconds that are as near the first, as archives without milliseconds need it. */
const middleMs = 499

/** The viewer with the job of the capture (of a file without a job, the file) as of its time. */
export function viewerLink({ url, time, job, file }: Place): string {
  const at = new Date(Date.parse(time) + middleMs).toISOString()
  return hrefOf({
    place: 'viewer',
    jobs: job === null ? [] : [job],
    ...(job === null && { files: [file] }),
    at,
    url,
  })
}

/** The viewer with the jobs in which a URL was searched (none: the whole archive) as of the time of a capture. */
export function urlViewerLink({ url, time, jobs }: { url: string; time: string; jobs: readonly number[] }): string {
  return hrefOf({ place: 'viewer', jobs: [...jobs], ...(jobs.length === 0 && { all: true }), at: time, url })
}

export function recordLink({ file, offset }: Pick<SearchResult, 'file' | 'offset'>): string {
  return hrefOf({ place: 'record', file, offset, number: null })
}
