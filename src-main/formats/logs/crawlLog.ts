/** Parses lines of crawl.log as written by Heritrix: one for each URL that it processed, including those it did not
 *  fetch. Heritrix 1 wrote no source tag before 1.8, and Heritrix 3 may add a JSON object. Loupe's harvests write the
 *  same fields (`crawl/finish/crawlLog.ts`). `fetchStatus.ts` explains statuses, `duplicates.ts` resolves duplicates.
 *
 *  The fields of a line are separated by blanks, and an empty one is `-`:
 *
 *     2011-06-23T17:12:08.802Z   time when the line was written
 *     200                        status
 *     1299                       bytes
 *     http://example.com/a.png   URL
 *     LE                         discovery path
 *     http://example.com/        referrer
 *     image/png                  media type
 *     #012                       worker
 *     20110623171208546+35       start and duration
 *     sha1:…                     digest
 *     http://example.com/        source tag
 *     2t,duplicate:"…"           annotations */
import { labelledDigest } from '../cdx/indexDigest.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { finding, type Finding } from '../rules/finding.ts'

/** One line of a crawl log. */
export interface CrawlLogLine {
  /** Time when the line was written; undefined when missing or invalid. */
  loggedMs: number | undefined
  /** HTTP status, or a code of Heritrix: negative, 0, 1 or 1001. */
  status: number
  /** Length of the content without its HTTP header; undefined when nothing was received. */
  contentBytes: number | undefined
  url: string
  /** One letter for each hop from a seed; empty for a seed. */
  hopPath: string
  /** URL of the page with the link; undefined for a seed. */
  via: string | undefined
  /** Media type without parameters; empty when the server sent none. */
  mediaType: string
  /** Time when the request began, and its duration; undefined when nothing was requested. */
  beganMs: number | undefined
  durationMs: number | undefined
  /** Payload digest with its algorithm; empty when missing. */
  payloadDigest: string
  /** The seed from which the URL was found; undefined when the harvest did not record it. */
  source: string | undefined
  /** Annotations as written, separated by commas; empty when there are none. */
  annotations: string
}

/** Maximum length of text quoted in findings. */
const shownCharactersMax = 80

/** Parses a line. `line` is missing when the text is not a line of a crawl log. */
export function parseCrawlLogLine(text: string): { line?: CrawlLogLine; findings: Finding[] } {
  const fields = text.trim().split(/\s+/)
  const [logged = '', status = '', bytes = '', url = '', hopPath = '', via = '', mediaType = '', , began = ''] = fields
  if (!/^-?\d{1,9}$/.test(status) || !/^[a-z][a-z0-9+.-]*:./i.test(url)) {
    return {
      findings: [finding('crawlLogLineInvalid', { line: text.trim().slice(0, shownCharactersMax) })],
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
    findings: isDated ? [] : [finding('crawlLogDateInvalid', { date: logged.slice(0, shownCharactersMax) })],
  }
}

/** An empty field. */
const absent = '-'

/** The value of a field; undefined when it is empty. */
function present(field: string): string | undefined {
  return field === absent || field === '' ? undefined : field
}

/** Returns the media type. Heritrix writes `unknown` when nothing was fetched, and `no-type` when the server sent
 *  none. */
function mediaTypeIn(field: string): string {
  return field === 'unknown' || field === 'no-type' ? '' : (present(field) ?? '')
}

/** Parses the start of the fetch and its duration in milliseconds: `20110623171208546+922`. */
function fetchTimeIn(field: string): Pick<CrawlLogLine, 'beganMs' | 'durationMs'> {
  const [, began = '', duration = ''] = /^(\d{4,17})\+(\d+)$/.exec(field) ?? []
  const beganMs = parseTimestamp(began)
  return { beganMs, durationMs: beganMs === undefined ? undefined : Number(duration) }
}

/** Returns the source tag and the annotations. The argument is the fields after the digest; a source tag is the URL
 *  of a seed. */
function tagsIn([first = absent, second]: readonly string[]): Pick<CrawlLogLine, 'source' | 'annotations'> {
  const isOnly = second === undefined && !/^[a-z][a-z0-9+.-]*:\/\//i.test(first)
  const annotations = present(isOnly ? first : (second ?? absent)) ?? ''
  return { source: isOnly ? undefined : present(first), annotations: annotations.startsWith('{') ? '' : annotations }
}
