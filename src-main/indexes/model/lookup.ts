/** What a capture index is asked for, and where that lies in it: the key, and the stretch of time around the moment. Pure. */
import { foldRequest } from '../../formats/cdx/postKey.ts'
import { surt } from '../../formats/cdx/surt.ts'

export interface CaptureLookup {
  url: string
  /** Of a request with content: what makes its key beside the URL. Absent: GET. */
  sent?: { method: string; mediaType: string; content: Uint8Array }
  /** Of a capture that was found in another way, instead of that which address and content make. */
  key?: string
  moment: Moment
  /** Nothing further away than this from the moment; absent: no limit. (newest and oldest have no limit) */
  withinMs?: number
}

export type Moment = { kind: 'newest' } | { kind: 'oldest' } | { kind: 'nearest'; atMs: number }

/** No moment is said: the newest. */
export function momentAt(atMs: number | undefined): Moment {
  return atMs === undefined ? { kind: 'newest' } : { kind: 'nearest', atMs }
}

export interface LookupKey {
  key: string
  /** '' for GET. It tells an answer to a POST from one to a GET of an address that only looks so (`?__wb_method=POST`). */
  method: string
}

/** As the lines of an archive file have it: a request that is no GET lies under a key of its own. */
export function lookupKeyOf({ url, sent, key }: Pick<CaptureLookup, 'url' | 'sent' | 'key'>): LookupKey {
  const method = sent?.method.toUpperCase() ?? 'GET'
  if (key !== undefined) return { key, method: method === 'GET' ? '' : method }
  if (sent === undefined || method === 'GET') return { key: surt(url), method: '' }
  const { mediaType, content } = sent
  const lengthField = String(content.length)
  return { key: surt(foldRequest({ url, method, contentType: mediaType, lengthField, body: content }).url), method }
}

/** Further away than any capture (the last moment of ECMA-262 21.4.1.1), so that nearest to it is newest. */
const endOfTimeMs = 8.64e15

/** Both ends are in it. */
export interface TimeRange {
  atMs: number
  fromMs: number
  toMs: number
}

/** Written out: every lookup makes one. */
export function timeRangeOf({ moment, withinMs }: Pick<CaptureLookup, 'moment' | 'withinMs'>): TimeRange {
  if (moment.kind === 'newest') return { fromMs: -endOfTimeMs, atMs: endOfTimeMs, toMs: endOfTimeMs }
  if (moment.kind === 'oldest') return { fromMs: -endOfTimeMs, atMs: -endOfTimeMs, toMs: endOfTimeMs }
  const { atMs } = moment
  if (withinMs === undefined) return { fromMs: -endOfTimeMs, atMs, toMs: endOfTimeMs }
  return { fromMs: atMs - withinMs, atMs, toMs: atMs + withinMs }
}
