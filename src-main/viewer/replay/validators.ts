/** By what a browser's cache tells whether what it keeps is still the answer (RFC 9110 8.8, 13). Two moments of one address may have
 *  the same ETag or date, by a server's mistake or because one moment is asked after a later one. So the ETag of an answer is
 *  ours and names the capture itself; the archived one is believed when somebody asks with it. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { httpDate } from '../model/httpDate.ts'

export interface Validators {
  /** Of this capture, as it is sent. */
  own: string
  /** As archived. */
  etag: string | undefined
  lastModified: string | undefined
}

/** Strong: the same bytes each time. What is sent decoded has other bytes, so another ETag. */
export function ownETag(
  { filename, offset, timestampMs }: Pick<IndexedCapture, 'filename' | 'offset' | 'timestampMs'>,
  isDecoded: boolean,
): string {
  return `"${encodeURIComponent(filename)}:${offset}:${timestampMs}${isDecoded ? ':decoded' : ''}"`
}

/** 13.2.2: what the conditions of a request make of an answer that would be 200. Undefined: it is given. */
export function conditionStatus(fields: IncomingHttpHeaders, kept: Validators): 304 | 412 | undefined {
  if (!isStillThat(fields, kept)) return 412
  return isUnchanged(fields, kept) ? 304 : undefined
}

/** 13.1.1 and 13.1.4; the first wins. A part that is continued is asked for so. Weak validators never match. */
export function isStillThat(fields: IncomingHttpHeaders, kept: Validators): boolean {
  const tags = fields['if-match']
  if (tags !== undefined) return tagsIn(tags).some((tag) => tag === '*' || isSame(tag, kept))
  const [asked, last] = [httpDate(fields['if-unmodified-since']), httpDate(kept.lastModified)]
  return asked === undefined || last === undefined || last <= asked
}

/** 13.1.2 and 13.1.3; the first wins. A date has to be the very same: "not newer" would show a later moment as an earlier one. */
export function isUnchanged(fields: IncomingHttpHeaders, kept: Validators): boolean {
  const tags = fields['if-none-match']
  if (tags === undefined) return kept.lastModified !== undefined && fields['if-modified-since'] === kept.lastModified
  return tagsIn(tags).some((tag) => tag === '*' || weakly(tag) === kept.own || weakly(tag) === weakly(kept.etag))
}

function tagsIn(field: string): string[] {
  return field.match(/\*|(?:W\/)?"[^"]*"/g) ?? []
}

/** 8.8.3.2, the strong comparison. */
function isSame(tag: string, { own, etag }: Validators): boolean {
  return !tag.startsWith('W/') && (tag === own || tag === etag?.trim())
}

function weakly(tag: string | undefined): string | undefined {
  return tag?.trim().replace(/^W\//, '')
}

/** 13.1.5: a range is honoured only while the browser's part is of this same representation. Weak validators never match. */
export function ifRangeAgrees(field: string | undefined, kept: Validators): boolean {
  if (field === undefined) return true
  const asked = field.trim()
  if (/^(?:W\/)?"/.test(asked)) return isSame(asked, kept)
  return asked !== '' && asked === kept.lastModified?.trim()
}
