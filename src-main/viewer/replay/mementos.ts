/** The addresses of captures over time (RFC 7089), which lie on the command host, and the links of an answer to them. Pure. */
import { timestamp14 } from '../../formats/cdx/timestamp.ts'
import { fieldsOf } from '../../formats/http/http.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { commandHostName } from '../model/commandHost.ts'
import type { Field } from '../model/reply.ts'

const here = `http://${commandHostName}`

export function mementoAddress({ timestampMs, url }: Pick<IndexedCapture, 'timestampMs' | 'url'>): string {
  return `${here}/memento/${timestamp14(timestampMs)}/${safe(url)}`
}

export function timeGateLink(url: string): string {
  return timeGateOf(safe(url))
}

export type TimeMapFormat = 'link' | 'json'

/** The first of its pages has no number, so that it is what every answer leads to. */
export function timeMapAddress(
  url: string,
  { format = 'link', page = 1 }: { format?: TimeMapFormat; page?: number } = {},
): string {
  return timeMapOf(page === 1 ? safe(url) : `${page}/${safe(url)}`, format)
}

export function originalLink(url: string): string {
  return originalOf(safe(url))
}

export function mementoLink(capture: IndexedCapture, rel: string): string {
  return `<${mementoAddress(capture)}>; rel="${rel}"; datetime="${new Date(capture.timestampMs).toUTCString()}"`
}

/** Of an answer out of the archive (RFC 7089 2.2): what it is a capture of, and where others are. */
export function linksOf(url: string): string {
  const said = safe(url)
  return `${originalOf(said)}, ${timeGateOf(said)}, <${timeMapOf(said)}>; rel="timemap"; type="application/link-format"`
}

/** RFC 7089 4.1: in a viewing an address is its own TimeGate, so another Accept-Datetime may get another answer. One field says it
 *  with all else that the answer varies by, each once, where the first of them stood. */
export function varyingByMoment(fields: readonly Field[]): Field[] {
  const names = fieldsOf({ fields }, 'vary').flatMap((value) => value.split(','))
  if (names.length === 0) return [...fields, ['Vary', 'accept-datetime']]
  const distinct = new Map([...names, 'accept-datetime'].map((name) => [name.trim().toLowerCase(), name.trim()]))
  distinct.delete('')
  // Alone it says everything (RFC 9110 12.5.5).
  const vary: Field = ['Vary', distinct.has('*') ? '*' : [...distinct.values()].join(', ')]
  const at = fields.findIndex(isVary)
  return [...fields.slice(0, at), vary, ...fields.slice(at).filter((field) => !isVary(field))]
}

const isVary = ([name]: Field) => name.toLowerCase() === 'vary'
const timeGateOf = (said: string) => `<${here}/timegate/${said}>; rel="timegate"`
const timeMapOf = (said: string, format: TimeMapFormat = 'link') => `${here}/timemap/${format}/${said}`
const originalOf = (said: string) => `<${said}>; rel="original"`

/** As it may stand between the brackets of a link (RFC 8288 3). */
function safe(url: string): string {
  if (plainUrl.test(url)) return url
  return (URL.parse(url)?.href ?? url).replace(/[<>"\s]/g, (character) => encodeURIComponent(character))
}

/** Nearly all are safe as they are, and the parser of URLs would change nothing in them. */
const plainUrl = /^https?:\/\/(?:[a-z][a-z0-9-]*\.)+[a-z]+\/[\w~/-]*(?:\.\w+)?(?:\?[\w=&-]*)?$/
