/** Writes CDX lines, the older form of index: columns separated by spaces, each named by a letter in a header line
 *  (Internet Archive, CDX and DAT legend), in the two orders that OpenWayback and cdxj-indexer use.
 *
 *     N  key (SURT)                 r  redirect, always `-`
 *     b  timestamp, 14 digits       M  robots flags, always `-`
 *     a  URL                        S  length of the record in the file
 *     m  media type                 V  offset of the record in the file
 *     s  status                     g  name of the file
 *     k  payload digest */

import type { Capture } from './capture.ts'
import { timestamp14 } from './timestamp.ts'

/** The forms with 11 and with 9 columns. */
export type CdxForm = 'cdx11' | 'cdx9'

/** Header line of each form. */
export const cdxHeaders: Record<CdxForm, string> = {
  cdx11: ' CDX N b a m s k r M S V g',
  cdx9: ' CDX N b a m s k r V g',
}

/** Returns one line without line end, in the columns of `cdxHeaders[form]`. */
export function cdxLine(capture: Capture, form: CdxForm): string {
  const { key, timestampMs, url, mediaType, status, payloadDigest, length, offset, filename, recordType } = capture
  const digest = payloadDigest.slice(payloadDigest.indexOf(':') + 1)
  const first = `${key} ${timestamp14(timestampMs)} ${cdxColumn(url)} ${cdxColumn(mediaType)} ${status ?? '-'} ${cdxColumn(digest)}`
  const middle = form === 'cdx11' ? `- - ${recordType === 'duplicate' ? '-' : length}` : '-'
  return `${first} ${middle} ${offset} ${cdxColumn(filename)}`
}

/** Returns a value as a column. The format has no escapes of its own, so blanks and control characters are
 *  percent-encoded. */
export function cdxColumn(text: string): string {
  if (text === '') return '-'
  return whiteOrControl.test(text) ? text.replace(whiteOrControls, (found) => encodeURIComponent(found)) : text
}

// oxlint-disable-next-line no-control-regex
const whiteOrControl = /[\s\x00-\x1f\x7f]/
// oxlint-disable-next-line no-control-regex
const whiteOrControls = /[\s\x00-\x1f\x7f]/g
