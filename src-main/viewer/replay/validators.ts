/** Validators (RFC 9110 8.8, 13), by which a browser's cache checks whether its copy is still current. Two moments of one URL
 *  may have the same ETag or date, so replies get an ETag of Loupe that identifies the capture. The archived one is accepted in
 *  requests. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { httpDate } from '../model/httpDate.ts'

/** What identifies the representation that would be sent. */
export interface Validators {
  /** The ETag of this capture, as it is sent. */
  own: string
  /** The archived ETag. */
  etag: string | undefined
  lastModified: string | undefined
}

/** A strong ETag: the same bytes each time. Content that is sent decoded has other bytes, and so another ETag. */
export function ownETag(
  { filename, offset, timestampMs }: Pick<IndexedCapture, 'filename' | 'offset' | 'timestampMs'>,
  isDecoded: boolean,
): string {
  return `"${encodeURIComponent(filename)}:${offset}:${timestampMs}${isDecoded ? ':decoded' : ''}"`
}

/** Evaluates the conditions of a request (RFC 9110 13.2.2) whose response would be 200. Undefined: the response is sent. */
export function conditionStatus(fields: IncomingHttpHeaders, kept: Validators): 304 | 412 | undefined {
  if (!isStillThat(fields, kept)) return 412
  return isUnchanged(fields, kept) ? 304 : undefined
}

/** If-Match and If-Unmodified-Since (13.1.1, 13.1.4); the first takes precedence. Browsers use them to continue a download.
 *  Weak validators never match. */
export function isStillThat(fields: IncomingHttpHeaders, kept: Validators): boolean {
  const tags = fields['if-match']
  if (tags !== undefined) return tagsIn(tags).some((tag) => tag === '*' || isSame(tag, kept))
  const [asked, last] = [httpDate(fields['if-unmodified-since']), httpDate(kept.lastModified)]
  return asked === undefined || last === undefined || last <= asked
}

/** If-None-Match and If-Modified-Since (13.1.2, 13.1.3); the first takes precedence. Dates must be equal: "not newer" would
 *  show a later moment as an earlier one. */
export function isUnchanged(fields: IncomingHttpHeaders, kept: Validators): boolean {
  const tags = fields['if-none-match']
  if (tags === undefined) return kept.lastModified !== undefined && fields['if-modified-since'] === kept.lastModified
  return tagsIn(tags).some((tag) => tag === '*' || weakly(tag) === kept.own || weakly(tag) === weakly(kept.etag))
}

/** The entity tags of a field, or `*`. */
function tagsIn(field: string): string[] {
  return field.match(/\*|(?:W\/)?"[^"]*"/g) ?? []
}

/** The strong comparison (8.8.3.2). */
function isSame(tag: string, { own, etag }: Validators): boolean {
  return !tag.startsWith('W/') && (tag === own || tag === etag?.trim())
}

/** A tag without its mark as weak, for the weak comparison (8.8.3.2). */
function weakly(tag: string | undefined): string | undefined {
  return tag?.trim().replace(/^W\//, '')
}

/** If-Range (13.1.5): a range is sent only if the browser's part is of the same representation. Weak validators never match. */
export function ifRangeAgrees(field: string | undefined, kept: Validators): boolean {
  if (field === undefined) return true
  const asked = field.trim()
  if (/^(?:W\/)?"/.test(asked)) return isSame(asked, kept)
  return asked !== '' && asked === kept.lastModified?.trim()
}
