/** Lookups in a capture index: the key of a request, and the time range around the requested moment. Pure. */
import { foldRequest } from '../../formats/cdx/postKey.ts'
import { surt } from '../../formats/cdx/surt.ts'

/** A request for the capture of a URL. */
export interface CaptureLookup {
  url: string
  /** Method and content of a request, which are part of its key. Absent: GET. */
  sent?: { method: string; mediaType: string; content: Uint8Array }
  /** Key of a capture that was found in another way. Absent: the key of URL and content. */
  key?: string
  moment: Moment
  /** Maximum distance from the moment. Absent: no limit. Has no effect on newest and oldest. */
  withinMs?: number
}

export type Moment = { kind: 'newest' } | { kind: 'oldest' } | { kind: 'nearest'; atMs: number }

/** The moment at a time, or the newest if no time is given. */
export function momentAt(atMs: number | undefined): Moment {
  return atMs === undefined ? { kind: 'newest' } : { kind: 'nearest', atMs }
}

/** The key under which a lookup is made. */
export interface LookupKey {
  key: string
  /** '' for GET. Distinguishes a POST from a GET of a URL that merely looks like one (`?__wb_method=POST`). */
  method: string
}

/** The key of a request, as in index lines: requests other than GET have keys of their own. */
export function lookupKeyOf({ url, sent, key }: Pick<CaptureLookup, 'url' | 'sent' | 'key'>): LookupKey {
  const method = sent?.method.toUpperCase() ?? 'GET'
  if (key !== undefined) return { key, method: method === 'GET' ? '' : method }
  if (sent === undefined || method === 'GET') return { key: surt(url), method: '' }
  const { mediaType, content } = sent
  const lengthField = String(content.length)
  return { key: surt(foldRequest({ url, method, contentType: mediaType, lengthField, body: content }).url), method }
}

/** The last time value of ECMA-262 21.4.1.1. The capture nearest to it is the newest. */
const endOfTimeMs = 8.64e15

/** A time range, both ends included. */
export interface TimeRange {
  atMs: number
  fromMs: number
  toMs: number
}

/** The time range of a lookup. Written without spreading objects, because every lookup calls it. */
export function timeRangeOf({ moment, withinMs }: Pick<CaptureLookup, 'moment' | 'withinMs'>): TimeRange {
  if (moment.kind === 'newest') return { fromMs: -endOfTimeMs, atMs: endOfTimeMs, toMs: endOfTimeMs }
  if (moment.kind === 'oldest') return { fromMs: -endOfTimeMs, atMs: -endOfTimeMs, toMs: endOfTimeMs }
  const { atMs } = moment
  if (withinMs === undefined) return { fromMs: -endOfTimeMs, atMs, toMs: endOfTimeMs }
  return { fromMs: atMs - withinMs, atMs, toMs: atMs + withinMs }
}
