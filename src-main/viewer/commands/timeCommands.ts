/** The captures of an address over time: TimeGate, TimeMap (link format and JSON) and mementos of RFC 7089, on the command host. In a
 *  viewing itself Accept-Datetime chooses the moment (RFC 7089 4.1.2, pattern 1.3); these are for tools that know no proxy. A memento
 *  here is a page of nobody: it gets an origin of its own, where it can neither command the viewer nor read its answers. */
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
import { plainReply, withoutBody, type Field, type Reply } from '../model/reply.ts'
import { access } from '../links/access.ts'
import { notYetWhole } from '../links/growing.ts'
import { noView } from '../links/noView.ts'
import { timeMap } from './timeMap.ts'

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
  whyPassed: () => 'It is none of these commands.',
  async answer(question) {
    const command = commandOf(question.url)
    const [, gate, link, page = '1', at, url] = kinds.exec(`${command?.pathname ?? ''}${command?.search ?? ''}`) ?? []
    if (command === undefined || url === undefined) return undefined
    // What is kept back in a viewing is kept back here too.
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

function refusalOf({ method }: Question, url: string): Reply | undefined {
  if (method !== 'GET' && method !== 'HEAD')
    return plainReply(405, 'Captures over time are asked with GET.', [['Allow', 'GET, HEAD']])
  return URL.canParse(url) ? undefined : plainReply(400, `This is not an address: ${url.slice(0, 200)}.`)
}

async function timeGate(question: Question): Promise<Reply> {
  const { url, shown, fields } = question
  const refused = refusalOfAcceptDatetime(fields)
  if (refused) return refused
  const asked = await askedOf(question)
  const capture = asked && shown?.index.nearest(asked)
  if (capture === undefined) return notCaptured(url, asked)
  return {
    ...plainReply(302, ''),
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

async function memento(parts: ChainParts, question: Question, digits: string): Promise<Reply> {
  const atMs = parseTimestamp(digits)
  if (atMs === undefined) return plainReply(400, `${digits} is no moment: YYYYMMDDhhmmss is one.`)
  const then: Question = { ...question, moment: { kind: 'nearest', atMs } }
  const asked = await askedOf(then)
  const captures = asked && question.shown?.index.candidates(asked, candidatesMax)
  const reply = await firstThatAnswers(parts, then, captures ?? [])
  if (reply?.capture === undefined) return notCaptured(question.url, asked)
  // Nothing of the answer may act here but what describes its bytes.
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

/** An archived redirect leads to the memento of where it led then, never out of the archive. */
function redirectFields({ status, fields }: Reply, { url, atMs }: { url: string; atMs: number }): Field[] {
  if (status < 300 || status === 304 || status >= 400) return []
  const target = locationOf({ fields }, url)
  return target === undefined ? [] : [['Location', mementoAddress({ url: target.href, timestampMs: atMs })]]
}

/** A viewing that shows nothing further away than so many days shows it here no more than elsewhere. */
function notCaptured(url: string, asked?: CaptureLookup): Reply {
  const near = asked?.withinMs === undefined ? '' : ', near enough to the moment'
  return plainReply(404, `No capture of ${url.slice(0, 2_000)} is in what is viewed${near}.`)
}
