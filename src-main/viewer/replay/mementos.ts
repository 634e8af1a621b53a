/** URLs and links of Memento (RFC 7089) on the command host, and the Memento fields of a reply. Pure. */
import { timestamp14 } from '../../formats/cdx/timestamp.ts'
import { fieldsOf } from '../../formats/http/http.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { commandHostName } from '../model/commandHost.ts'
import type { Field } from '../model/reply.ts'

const here = `http://${commandHostName}`

/** The URL of a capture as a memento, to the second. */
export function mementoAddress({ timestampMs, url }: Pick<IndexedCapture, 'timestampMs' | 'url'>): string {
  return `${here}/memento/${timestamp14(timestampMs)}/${safe(url)}`
}

/** The TimeGate of a URL. */
export function timeGateAddress(url: string): string {
  return timeGateOf(safe(url))
}

/** The link to the TimeGate of a URL. */
export function timeGateLink(url: string): string {
  return gateLinkOf(safe(url))
}

/** Formats of TimeMaps. */
export type TimeMapFormat = 'link' | 'json'

/** The URL of a TimeMap. Its first page has no number, so every reply can link to it. */
export function timeMapAddress(
  url: string,
  { format = 'link', page = 1 }: { format?: TimeMapFormat; page?: number } = {},
): string {
  return timeMapOf(page === 1 ? safe(url) : `${page}/${safe(url)}`, format)
}

/** The link to the original of a URL. */
export function originalLink(url: string): string {
  return originalOf(safe(url))
}

/** The link to a capture, with its time (RFC 7089 2.2.4). `rel` is `memento`, perhaps with `first` or `last`. */
export function mementoLink(capture: IndexedCapture, rel: string): string {
  return `<${mementoAddress(capture)}>; rel="${rel}"; datetime="${new Date(capture.timestampMs).toUTCString()}"`
}

/** The Link field of an archived response (RFC 7089 2.2): its original, TimeGate and TimeMap. */
export function linksOf(url: string): string {
  const target = safe(url)
  return `${originalOf(target)}, ${gateLinkOf(target)}, <${timeMapOf(target)}>; rel="timemap"; type="application/link-format"`
}

/** Adds Accept-Datetime to Vary: in a viewing each URL is its own TimeGate (RFC 7089 4.1). All Vary fields are merged into one,
 *  at the place of the first, with each name once. */
export function varyingByMoment(fields: readonly Field[]): Field[] {
  const names = fieldsOf({ fields }, 'vary').flatMap((value) => value.split(','))
  if (names.length === 0) return [...fields, ['Vary', 'accept-datetime']]
  const distinct = new Map([...names, 'accept-datetime'].map((name) => [name.trim().toLowerCase(), name.trim()]))
  distinct.delete('')
  // `*` includes everything (RFC 9110 12.5.5).
  const vary: Field = ['Vary', distinct.has('*') ? '*' : [...distinct.values()].join(', ')]
  const at = fields.findIndex(isVary)
  return [...fields.slice(0, at), vary, ...fields.slice(at).filter((field) => !isVary(field))]
}

const isVary = ([name]: Field) => name.toLowerCase() === 'vary'
const timeGateOf = (target: string) => `${here}/timegate/${target}`
const gateLinkOf = (target: string) => `<${timeGateOf(target)}>; rel="timegate"`
const timeMapOf = (target: string, format: TimeMapFormat = 'link') => `${here}/timemap/${format}/${target}`
const originalOf = (target: string) => `<${target}>; rel="original"`

/** A URL that can be put between the angle brackets of a link (RFC 8288 3). */
function safe(url: string): string {
  if (plainUrl.test(url)) return url
  return (URL.parse(url)?.href ?? url).replace(/[<>"\s]/g, (character) => encodeURIComponent(character))
}

/** Nearly all URLs match this and are not changed by the URL parser. */
const plainUrl = /^https?:\/\/(?:[a-z][a-z0-9-]*\.)+[a-z]+\/[\w~/-]*(?:\.\w+)?(?:\?[\w=&-]*)?$/
