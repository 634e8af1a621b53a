/** Writes lines of crawl.log as Heritrix 3 does (`UriProcessingFormatter`), so that scripts which split them into
 *  fields work. `parseCrawlLogLine` reads them. */
import type { CrawlLogLine } from './crawlLog.ts'

/** A line that is written. */
export interface CrawlLogEntry extends Omit<CrawlLogLine, 'annotations' | 'loggedMs'> {
  loggedMs: number
  /** Annotations in order. They must not contain commas or blanks (`annotationText`). */
  annotations: readonly string[]
}

/** Maximum number of hops in a line. Heritrix 3.1 and later keep the last hops of a longer path, and state how many
 *  were omitted. */
const hopsMax = 50

/** Returns the line, with its line end. */
export function crawlLogText(entry: CrawlLogEntry): string {
  const { loggedMs, status, contentBytes, url, hopPath, via, mediaType, beganMs, durationMs } = entry
  const fields = [
    new Date(loggedMs).toISOString(),
    String(status).padStart(5),
    String(contentBytes ?? absent).padStart(10),
    fieldText(url),
    hopText(hopPath),
    fieldText(via ?? ''),
    fieldText(mediaType || (status > 0 ? 'no-type' : 'unknown')),
    // There are no numbered worker threads.
    '#000',
    beganMs === undefined ? absent : `${new Date(beganMs).toISOString().replace(/\D/g, '')}+${durationMs ?? 0}`,
    fieldText(entry.payloadDigest),
    fieldText(entry.source ?? ''),
    entry.annotations.join(',') || absent,
  ]
  return `${fields.join(' ')}\n`
}

const absent = '-'

/** Returns the text of a field. It must not contain blanks, which separate fields: URLs are stored with their blanks
 *  encoded, but a media type sent by a server may contain any character. */
function fieldText(text: string): string {
  return text === '' ? absent : encoded(text, /[^!-~]/gu)
}

/** The discovery path, shortened as in Heritrix: `12+LLL…`. */
function hopText(path: string): string {
  if (path === '') return absent
  const leftOut = path.length - hopsMax
  return leftOut <= 0 ? path : `${leftOut}+${path.slice(leftOut)}`
}

/** Escapes a part of an annotation. Commas separate annotations, and some parsers search for quotes. */
export function annotationText(text: string): string {
  return encoded(text, /[^!-~]|[%,"]/gu)
}

/** Percent-encodes the matching characters as UTF-8. */
function encoded(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** Decodes a part that `annotationText` escaped. */
export function annotationMeaning(text: string): string {
  return Buffer.from(
    text.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}
