/** A line of crawl.log as Heritrix writes it, one for each URL that it processed, also for those that it did not fetch. Fields are
 *  separated by blanks: time, status, bytes, URL, discovery path, referrer, media type, worker, start and duration, digest, source tag,
 *  annotations. Heritrix 1 wrote no source tag before 1.8, Heritrix 3 may add a JSON object. Our own harvests write the same
 *  fields (`crawl/crawlLogLines.ts`). What a status means is in `fetchStatus.ts`, what a duplicate refers to in `duplicates.ts`. */
import { labelledDigest } from '../cdx/indexDigest.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { finding, type Finding } from '../rules/finding.ts'

export interface CrawlLogLine {
  /** When it was written; undefined where it does not say. */
  loggedMs: number | undefined
  /** Of HTTP, or one of Heritrix's own: negative, 0, 1 or 1001. */
  status: number
  /** Of the content without its HTTP header; undefined where nothing was received. */
  contentBytes: number | undefined
  url: string
  /** A letter for each hop from a seed, empty for a seed. */
  hopPath: string
  /** Where the URL was found; undefined for a seed. */
  via: string | undefined
  /** Without parameters; empty where the server named none. */
  mediaType: string
  /** When the request began, and how long it took; undefined where nothing was requested. */
  beganMs: number | undefined
  durationMs: number | undefined
  /** With its algorithm; empty where there is none. */
  payloadDigest: string
  /** The seed that led here; undefined where the harvest did not keep it. */
  source: string | undefined
  /** As written, commas between them; empty when there are none. */
  annotations: string
}

/** How much of a line that is none is shown. */
const shownCharactersMax = 80

export function parseCrawlLogLine(text: string): { line?: CrawlLogLine; findings: Finding[] } {
  const fields = text.trim().split(/\s+/)
  const [logged = '', status = '', bytes = '', url = '', hopPath = '', via = '', mediaType = '', , began = ''] = fields
  if (!/^-?\d{1,9}$/.test(status) || !/^[a-z][a-z0-9+.-]*:./i.test(url)) {
    return {
      findings: [finding('crawlLogLineInvalid', `Not a crawl log line: ${text.trim().slice(0, shownCharactersMax)}`)],
    }
  }
  const loggedMs = parseTimestamp(logged)
  const isDated = loggedMs !== undefined || logged === absent
  return {
    line: {
      ...{ loggedMs, status: Number(status), contentBytes: /^\d+$/.test(bytes) ? Number(bytes) : undefined },
      ...{ url, hopPath: present(hopPath) ?? '', via: present(via), mediaType: mediaTypeIn(mediaType) },
      ...fetchTimeIn(began),
      payloadDigest: labelledDigest(fields[9] ?? ''),
      ...tagsIn(fields.slice(10)),
    },
    findings: isDated ? [] : [finding('crawlLogDateInvalid', `It begins with ${logged.slice(0, shownCharactersMax)}.`)],
  }
}

const absent = '-'

function present(field: string): string | undefined {
  return field === absent || field === '' ? undefined : field
}

/** Heritrix writes `unknown` where nothing was fetched and `no-type` where the server named no type. */
function mediaTypeIn(field: string): string {
  return field === 'unknown' || field === 'no-type' ? '' : (present(field) ?? '')
}

/** `20110623171208546+922`: when it began, and how many milliseconds it took. */
function fetchTimeIn(field: string): Pick<CrawlLogLine, 'beganMs' | 'durationMs'> {
  const [, began = '', duration = ''] = /^(\d{4,17})\+(\d+)$/.exec(field) ?? []
  const beganMs = parseTimestamp(began)
  return { beganMs, durationMs: beganMs === undefined ? undefined : Number(duration) }
}

/** `rest`: the fields after the digest. A source tag is the URL of a seed. */
function tagsIn([first = absent, second]: readonly string[]): Pick<CrawlLogLine, 'source' | 'annotations'> {
  const isOnly = second === undefined && !/^[a-z][a-z0-9+.-]*:\/\//i.test(first)
  const annotations = present(isOnly ? first : (second ?? absent)) ?? ''
  return { source: isOnly ? undefined : present(first), annotations: annotations.startsWith('{') ? '' : annotations }
}
