/** TimeMaps: the captures of a URL as a list for Memento clients (RFC 7089 5), in link format and JSON. Long lists have pages,
 *  each with links to the others and their time ranges (`rel="timemap"`, RFC 7089 5.1.2), so no capture is left out. */
import { message } from '../../contract/words/message.ts'
import type { CapturesPart } from '../../indexes/captures/captureParts.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { cdxLinesMax } from '../model/limits.ts'
import {
  mementoAddress,
  mementoLink,
  originalLink,
  timeGateAddress,
  timeGateLink,
  timeMapAddress,
  type TimeMapFormat,
} from '../replay/mementos.ts'
import type { Question } from '../viewings/question.ts'
import { plainReply, textReply, type Reply } from '../model/reply.ts'

/** The list that is wanted. */
export interface TimeMapAsked {
  url: string
  format: TimeMapFormat
  /** Page number, from 1. */
  page: number
}

/** A page and its captures. `parts` are the time ranges of all pages. */
interface TimeMapPage extends TimeMapAsked {
  parts: readonly CapturesPart[]
  captures: readonly IndexedCapture[]
}

/** One page of a TimeMap. Undefined: the URL has no captures. */
export async function timeMap({ shown }: Question, asked: TimeMapAsked): Promise<Reply | undefined> {
  const { url, page, format } = asked
  const parts = shown === undefined ? [] : await shown.index.parts(url)
  if (shown === undefined || parts.length === 0) return undefined
  const part = parts[page - 1]
  if (part === undefined) return plainReply(404, message('viewer.timeMap.noPage', { page, pages: parts.length }))
  const { after, until } = part
  const query = { ...{ url, matchType: 'exact' as const, after, limit: cdxLinesMax }, ...(until !== undefined && { until }) } // prettier-ignore
  const found = await shown.index.query(query)
  // Only captures of GET requests: the content of others cannot be sent to a memento.
  const captures = found.captures.filter(({ method }) => method === undefined)
  return format === 'json' ? jsonOf({ ...asked, parts, captures }) : linksIn({ ...asked, parts, captures })
}

function linksIn({ url, page, parts, captures }: TimeMapPage): Reply {
  const maps = parts.map((part, at) => mapLink({ url, page: at + 1, part, rel: at + 1 === page ? 'self' : 'timemap' }))
  const all = captures.map((capture, at) => {
    const isFirst = page === 1 && at === 0
    const isLast = page === parts.length && at === captures.length - 1
    return mementoLink(capture, [...(isFirst ? ['first'] : []), ...(isLast ? ['last'] : []), 'memento'].join(' '))
  })
  const lines = [originalLink(url), timeGateLink(url), ...maps, ...all]
  return textReply({ status: 200, text: `${lines.join(',\n')}\n`, mediaType: 'application/link-format' })
}

function mapLink({ url, page, part, rel }: { url: string; page: number; part: CapturesPart; rel: string }): string {
  const [from, until] = [part.fromMs, part.toMs].map((timeMs) => new Date(timeMs).toUTCString())
  return `<${timeMapAddress(url, { page })}>; rel="${rel}"; type="application/link-format"; from="${from}"; until="${until}"`
}

function jsonOf({ url, parts, captures }: TimeMapPage): Reply {
  const list = captures.map((capture) => ({
    datetime: isoOf(capture.timestampMs),
    uri: mementoAddress(capture),
    original: capture.url,
    status: capture.status ?? null,
    mediaType: capture.mediaType,
    digest: capture.payloadDigest,
    job: capture.job,
    file: capture.filename,
    offset: capture.offset,
  }))
  const pages = parts.map(({ fromMs, toMs }, at) => ({
    ...{ from: isoOf(fromMs), until: isoOf(toMs), uri: timeMapAddress(url, { format: 'json', page: at + 1 }) },
  }))
  const map = {
    original_uri: url,
    timegate_uri: timeGateAddress(url),
    ...(pages.length > 1 && { timemap_index: pages }),
    mementos: { list },
  }
  return textReply({ status: 200, text: JSON.stringify(map), mediaType: 'application/json' })
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
