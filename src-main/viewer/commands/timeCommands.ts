/** Memento (RFC 7089) on the command host: TimeGate, TimeMap (link format and JSON) and mementos, for tools that do not use the
 *  proxy. In a viewing itself, Accept-Datetime selects the moment (RFC 7089 4.1.2, pattern 1.3). A memento gets an opaque
 *  origin, so it can neither command the viewer nor read its replies. */
import { message } from '../../contract/words/message.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { locationOf } from '../../formats/http/http.ts'
import type { CaptureLookup } from '../../indexes/indexes.ts'
import { refusalOfAcceptDatetime } from '../replay/acceptDatetime.ts'
import { askedOf, firstThatAnswers } from '../replay/captures.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import { commandOf } from '../model/commandHost.ts'
import { type CommandLink } from './commands.ts'
import { candidatesMax } from '../model/limits.ts'
import { linksOf, mementoAddress, mementoLink } from '../replay/mementos.ts'
import type { Question } from '../viewings/question.ts'
import { emptyReply, plainReply, withoutBody, type Field, type Reply } from '../model/reply.ts'
import { access } from '../links/access.ts'
import { notYetWhole } from '../links/growing.ts'
import { noView } from '../links/noView.ts'
import { timeMap } from './timeMap.ts'

/** Paths of the commands. The URL is not escaped in them, as in other Memento servers. */
const kinds = /^\/(?:(timegate)|timemap\/(?:(link)|json)(?:\/([1-9]\d{0,8}))?|memento\/(\d{4,17}))\/(.+)$/s

export const timeCommands = (parts: ChainParts): CommandLink => ({
  name: 'timeCommands',
  paths: [
    '/timegate/URL',
    '/timemap/link/URL',
    '/timemap/json/URL',
    '/timemap/link/PAGE/URL',
    '/timemap/json/PAGE/URL',
    '/memento/TIME/URL',
  ],
  whyPassed: () => message('viewer.step.command'),
  async answer(question) {
    const command = commandOf(question.url)
    const [, gate, link, page = '1', at, url] = kinds.exec(`${command?.pathname ?? ''}${command?.search ?? ''}`) ?? []
    if (command === undefined || url === undefined) return undefined
    // Access rules apply here too.
    const inside = { ...question, url }
    const refused = refusalOf(question, url) ?? (await noView.answer(question)) ?? (await access(parts).answer(inside))
    const early = refused ?? notYetWhole(question)
    if (early !== undefined) return question.method === 'HEAD' ? withoutBody(early) : early
    const made = await answered()
    return question.method === 'HEAD' ? withoutBody(made) : made

    async function answered(): Promise<Reply> {
      if (gate) return timeGate(inside)
      if (at !== undefined) return memento(parts, inside, at)
      const asked = { url: inside.url, format: link ? ('link' as const) : ('json' as const), page: Number(page) }
      return (await timeMap(question, asked)) ?? notCaptured(asked.url)
    }
  },
})

function refusalOf({ method, url: command }: Question, url: string): Reply | undefined {
  if (method !== 'GET' && method !== 'HEAD')
    return plainReply(405, message('viewer.command.onlyGet', { path: new URL(command).pathname }), [
      ['Allow', 'GET, HEAD'],
    ])
  return URL.canParse(url) ? undefined : plainReply(400, message('viewer.time.url', { url: url.slice(0, 200) }))
}

/** Redirects to the memento nearest to Accept-Datetime (RFC 7089, 4.2). */
async function timeGate(question: Question): Promise<Reply> {
  const { url, shown, fields } = question
  const refused = refusalOfAcceptDatetime(fields)
  if (refused) return refused
  const asked = await askedOf(question)
  const capture = asked && shown?.index.nearest(asked)
  if (capture === undefined) return notCaptured(url, asked)
  return {
    ...emptyReply(302),
    fields: [
      ['Location', mementoAddress(capture)],
      ['Vary', 'accept-datetime'],
      ['Link', `${linksOf(url)}, ${mementoLink(capture, 'memento')}`],
      ['Cache-Control', 'no-store'],
      ['Content-Length', '0'],
    ],
    body: new Uint8Array(0),
  }
}

/** Sends the capture nearest to a time, as a document without rights on this host. */
async function memento(parts: ChainParts, question: Question, digits: string): Promise<Reply> {
  const atMs = parseTimestamp(digits)
  if (atMs === undefined) return plainReply(400, message('viewer.time.invalid', { time: digits }))
  const then: Question = { ...question, moment: { kind: 'nearest', atMs } }
  const asked = await askedOf(then)
  const captures = asked && question.shown?.index.candidates(asked, candidatesMax)
  const reply = await firstThatAnswers(parts, then, captures ?? [])
  if (reply?.capture === undefined) return notCaptured(question.url, asked)
  // Only fields that describe the bytes are kept; others could take effect on this host.
  const described = reply.fields.filter(([name]) => /^(content-(type|encoding|length|range)|accept-ranges|memento-datetime)$/i.test(name)) // prettier-ignore
  return {
    ...reply,
    fields: [
      ...described,
      ...redirectFields(reply, { url: question.url, atMs: reply.capture.timestampMs }),
      ['Link', `${linksOf(question.url)}, ${mementoLink(reply.capture, 'memento')}`],
      ['Content-Location', mementoAddress(reply.capture)],
      ['Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'"],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
    ],
  }
}

/** An archived redirect leads to the memento of its target at that time, never out of the archive. */
function redirectFields({ status, fields }: Reply, { url, atMs }: { url: string; atMs: number }): Field[] {
  if (status < 300 || status === 304 || status >= 400) return []
  const target = locationOf({ fields }, url)
  return target === undefined ? [] : [['Location', mementoAddress({ url: target.href, timestampMs: atMs })]]
}

/** The reply if there is no capture. A maximum distance from the moment applies here as in the view. */
function notCaptured(url: string, asked?: CaptureLookup): Reply {
  const shown = { url: url.slice(0, 2_000) }
  return plainReply(
    404,
    asked?.withinMs === undefined ? message('viewer.notCaptured', shown) : message('viewer.notCaptured.near', shown),
  )
}
