/** CDX files of the older kind: columns between blanks, named by one letter each in a header line (Internet Archive, CDX
 *  and DAT legend). Written are the two orders that OpenWayback and cdxj-indexer have; read is any order that a header
 *  names, and without a header 9, 11 or the 14 columns of OutbackCDX. Deliberately not here: redirects and robots flags
 *  (`r`, `M`), which are written as `-` and passed over. */
import { captureTypes, revisitMediaType, type Capture, type CaptureType } from './capture.ts'
import { labelledDigest } from './indexDigest.ts'
import { parseTimestamp, timestamp14 } from './timestamp.ts'

export type CdxForm = 'cdx11' | 'cdx9'

export const cdxHeaders: Record<CdxForm, string> = {
  cdx11: ' CDX N b a m s k r M S V g',
  cdx9: ' CDX N b a m s k r V g',
}

/** One line without its end, for `cdxHeaders[form]`. */
export function cdxLine(capture: Capture, form: CdxForm): string {
  const { key, timestampMs, url, mediaType, status, payloadDigest, length, offset, filename, recordType } = capture
  const digest = payloadDigest.slice(payloadDigest.indexOf(':') + 1)
  const first = `${key} ${timestamp14(timestampMs)} ${cdxColumn(url)} ${cdxColumn(mediaType)} ${status ?? '-'} ${cdxColumn(digest)}`
  const middle = form === 'cdx11' ? `- - ${recordType === 'duplicate' ? '-' : length}` : '-'
  return `${first} ${middle} ${offset} ${cdxColumn(filename)}`
}

/** One value as it stands between blanks. The form has no escapes of its own, so a blank or control character in an address takes
 *  that of addresses. */
export function cdxColumn(text: string): string {
  if (text === '') return '-'
  return whiteOrControl.test(text) ? text.replace(whiteOrControls, (found) => encodeURIComponent(found)) : text
}

// oxlint-disable-next-line no-control-regex
const whiteOrControl = /[\s\x00-\x1f\x7f]/
// oxlint-disable-next-line no-control-regex
const whiteOrControls = /[\s\x00-\x1f\x7f]/g

/** The order of the columns in a file. */
export interface CdxColumns {
  delimiter: string
  letters: string[]
}

/** Of a header line: its first character is what stands between the columns. Undefined: the line is no header. */
export function cdxColumnsOf(line: string): CdxColumns | undefined {
  const delimiter = line.slice(0, 1)
  if (line.slice(1, 4) !== 'CDX' || line[4] !== delimiter || /\w/.test(delimiter)) return undefined
  return { delimiter, letters: line.trimEnd().slice(5).split(delimiter) }
}

/** Undefined when the line is none, or lacks what a lookup needs. Without `columns` their number tells the order. Where
 *  no column has the length of the record (CDX-9), it is 0. */
export function parseCdxLine(line: string, columns?: CdxColumns): Capture | undefined {
  const values = line.replace(/[\r\n]+$/, '').split(columns?.delimiter ?? ' ')
  const letters = columns?.letters ?? knownOrders[values.length]
  if (!letters || values.length < letters.length) return undefined
  const valueOf = (letter: string): string => {
    const at = letters.indexOf(letter)
    const value = at < 0 ? '' : (values[at] ?? '')
    return value === '-' ? '' : value
  }
  const numberOf = (letter: string): number | undefined =>
    /^\d+$/.test(valueOf(letter)) ? Number(valueOf(letter)) : undefined
  // N and A: massaged and canonised address. V: place in the packed file; v: in one that is not packed.
  const key = valueOf('N') || valueOf('A')
  const url = valueOf('a')
  const timestampMs = parseTimestamp(valueOf('b'))
  const offset = numberOf('V') ?? numberOf('v')
  const filename = valueOf('g')
  if (key === '' || url === '' || timestampMs === undefined || offset === undefined || filename === '') return undefined
  const mediaType = valueOf('m')
  const status = numberOf('s')
  return {
    key,
    timestampMs,
    url,
    mediaType,
    status,
    payloadDigest: labelledDigest(valueOf('k') || valueOf('c')),
    offset,
    length: numberOf('S') ?? 0,
    filename,
    recordType: recordTypeOf(mediaType, status),
  }
}

/** By the number of columns. OutbackCDX adds the place in a file that was repacked: length, offset, name. */
const knownOrders: Record<number, string[]> = {
  9: cdxHeaders.cdx9.slice(5).split(' '),
  11: cdxHeaders.cdx11.slice(5).split(' '),
  14: cdxHeaders.cdx11.slice(5).split(' '),
}

/** ia-web-commons lists every record, and says in the media type what it is: `warc/request`, `warc-info`. */
function recordTypeOf(mediaType: string, status: number | undefined): CaptureType {
  if (mediaType === revisitMediaType) return 'revisit'
  if (mediaType === 'warc-info') return 'warcinfo'
  const named = captureTypes.find((type) => mediaType === `warc/${type}`)
  return named ?? (status === undefined ? 'resource' : 'response')
}
