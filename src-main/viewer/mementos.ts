/** The addresses of captures over time (RFC 7089), which lie on the command host, and the links of an answer to them. Pure. */
import { timestamp14 } from '../formats/cdx/timestamp.ts'
import type { IndexedCapture } from '../indexes/indexes.ts'
import { commandHostName } from './commands.ts'

const here = `http://${commandHostName}`

export function mementoAddress({ timestampMs, url }: IndexedCapture): string {
  return `${here}/memento/${timestamp14(timestampMs)}/${safe(url)}`
}

export function timeGateLink(url: string): string {
  return timeGateOf(safe(url))
}

export function timeMapAddress(url: string): string {
  return timeMapOf(safe(url))
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

const timeGateOf = (said: string) => `<${here}/timegate/${said}>; rel="timegate"`
const timeMapOf = (said: string) => `${here}/timemap/link/${said}`
const originalOf = (said: string) => `<${said}>; rel="original"`

/** As it may stand between the brackets of a link (RFC 8288 3). */
function safe(url: string): string {
  if (plainUrl.test(url)) return url
  return (URL.parse(url)?.href ?? url).replace(/[<>"\s]/g, (character) => encodeURIComponent(character))
}

/** Nearly all are safe as they are, and the parser of URLs would change nothing in them. */
const plainUrl = /^https?:\/\/(?:[a-z][a-z0-9-]*\.)+[a-z]+\/[\w~/-]*(?:\.\w+)?(?:\?[\w=&-]*)?$/
