/** A line of crawl.log as Heritrix 3 writes it (`UriProcessingFormatter`), so that scripts which cut it into fields find in each what they
 *  expect. `parseCrawlLogLine` reads it back. */
import type { CrawlLogLine } from './crawlLog.ts'

export interface CrawlLogEntry extends Omit<CrawlLogLine, 'annotations' | 'loggedMs'> {
  loggedMs: number
  /** In order. No comma and no blank is left in any of them (`annotationText`). */
  annotations: readonly string[]
}

/** Heritrix 3.1 and later keep the last hops of a longer way, and say how many they left out. */
const hopsMax = 50

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
    // We have no worker threads to number.
    '#000',
    beganMs === undefined ? absent : `${new Date(beganMs).toISOString().replace(/\D/g, '')}+${durationMs ?? 0}`,
    fieldText(entry.payloadDigest),
    fieldText(entry.source ?? ''),
    entry.annotations.join(',') || absent,
  ]
  return `${fields.join(' ')}\n`
}

const absent = '-'

/** Fields are separated by blanks, so none may be in one: URLs are stored with their blanks encoded, but what a server calls a media type
 *  may hold anything. */
function fieldText(text: string): string {
  return text === '' ? absent : encoded(text, /[^!-~]/gu)
}

function hopText(path: string): string {
  if (path === '') return absent
  const leftOut = path.length - hopsMax
  return leftOut <= 0 ? path : `${leftOut}+${path.slice(leftOut)}`
}

/** Part of an annotation: annotations are separated by commas, and some parsers look for quotes. */
export function annotationText(text: string): string {
  return encoded(text, /[^!-~]|[%,"]/gu)
}

/** As percent-encoded UTF-8. */
function encoded(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** The reverse of `annotationText`. */
export function annotationMeaning(text: string): string {
  return Buffer.from(
    text.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}
