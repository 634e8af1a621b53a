/** A line of crawl.log as Heritrix writes it, one for each address that it came to, also for those that it did not fetch. Divided by
 *  blanks: time, status, bytes, address, way from the seed, where it was found, media type, worker, begin and duration, digest,
 *  source, annotations. Heritrix 1 wrote no source before 1.8, Heritrix 3 may add a JSON object. Our own harvests write the same
 *  fields. Deliberately not here: what a status means (`fetchStatus.ts`), and the columns that say nothing of why. */
import { parseTimestamp } from '../cdx/timestamp.ts'
import { complaint, type Complaint } from '../complaint.ts'

export interface CrawlLogLine {
  /** When it was written; undefined where it does not say. */
  loggedMs: number | undefined
  /** Of HTTP, or one of Heritrix's own: negative, 0, 1 or 1001. */
  status: number
  url: string
  /** A letter for each hop from a seed, empty for a seed. */
  hopPath: string
  /** Where the address was found; undefined for a seed. */
  via: string | undefined
  /** As written, commas between them; empty when there are none. */
  annotations: string
}

/** Of a line that is none, what is shown of it. */
const shownCharactersMax = 80

export function parseCrawlLogLine(text: string): { line?: CrawlLogLine; complaints: Complaint[] } {
  const fields = text.trim().split(/\s+/)
  const [logged = '', status = '', , url = '', hopPath = '', via = '', , , , , ...rest] = fields
  if (!/^-?\d{1,9}$/.test(status) || !/^[a-z][a-z0-9+.-]*:./i.test(url)) {
    return { complaints: [complaint('crawlLogLineInvalid', `It is none: ${text.trim().slice(0, shownCharactersMax)}`)] }
  }
  const loggedMs = parseTimestamp(logged)
  const isDated = loggedMs !== undefined || logged === absent
  return {
    line: {
      ...{ loggedMs, status: Number(status), url },
      hopPath: present(hopPath) ?? '',
      via: present(via),
      annotations: annotationsIn(rest),
    },
    complaints: isDated
      ? []
      : [complaint('crawlLogDateInvalid', `It begins with ${logged.slice(0, shownCharactersMax)}.`)],
  }
}

const absent = '-'

function present(field: string): string | undefined {
  return field === absent || field === '' ? undefined : field
}

/** `rest`: what stands behind the digest. A source is the address of a seed. */
function annotationsIn([first = absent, second]: readonly string[]): string {
  const isOnly = second === undefined && !/^[a-z][a-z0-9+.-]*:\/\//i.test(first)
  const annotations = present(isOnly ? first : (second ?? absent)) ?? ''
  return annotations.startsWith('{') ? '' : annotations
}
