/** Requests from browsers and the replies to them, as they pass along the chain of resolvers, and helpers for the small replies
 *  that the viewer writes itself. The design follows NetarchiveSuite's viewer proxy, where each resolver answers a request or
 *  passes it to the next one. */
import { textOf } from '../../contract/words/render.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { faults, type Fault } from '../../contract/calls/faults.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { closeContent, type Content } from './content.ts'
import type { ProxyCredentials } from './proxyCredentials.ts'

/** A request as the browser sent it, over HTTP/1.1 or HTTP/2. */
export interface BrowserRequest {
  method: string
  /** Absolute URL, as the browser sent it. */
  url: string
  fields: IncomingHttpHeaders
  /** User name and password of the proxy connection (Proxy-Authorization, Basic). Undefined: none were sent. */
  credentials: ProxyCredentials | undefined
  /** Reads the request content. Resolves with undefined if it is larger than `requestContentBytesMax`. The content is read at
   *  most once and then kept. */
  content: () => Promise<Uint8Array | undefined>
  /** Aborted when the browser closes the connection or the stream. */
  signal: AbortSignal
}

/** A reply before it is sent. The holder must send its body or close it. */
export interface Reply {
  status: number
  reason: string
  /** In sending order. Content-Length is included if the length is known. */
  fields: readonly Field[]
  /** For a 304 (RFC 9110 15.4.5): status and fields of the stored response that the browser goes on using. */
  representation?: { status: number; fields: readonly Field[] }
  /** A byte array is sent together with the head, a stream as it is read. */
  body: Content
  /** The capture that answered. Undefined for replies that the viewer writes itself. An archived 404 has a capture. */
  capture: IndexedCapture | undefined
  /** Why the content of the capture is incomplete, from WARC-Truncated or from its body. Absent: no sign of that. */
  truncated?: Truncation | undefined
  /** The view has no capture for this request, which is a finding about the harvest. */
  missing: boolean
}

/** A header field. Values of archived fields may contain any byte, one character each. */
export type Field = readonly [name: string, value: string]

/** Answers a request. Rejects only for bugs and faults that have no reply of their own. */
export type Resolver = (request: BrowserRequest) => Promise<Reply>

/** A message as plain text, in English. Browsers must not cache it. */
export function plainReply(status: number, message: Message, fields: readonly Field[] = []): Reply {
  return textReply({ status, text: `${textOf(message)}\n`, mediaType: 'text/plain', fields })
}

/** A reply without content, whose status and fields say everything. Browsers must not cache it. */
export function emptyReply(status: number, fields: readonly Field[] = []): Reply {
  return textReply({ status, text: '', mediaType: 'text/plain', fields })
}

/** The message of a fault, with the HTTP status of its code. */
export function faultReply({ code, userMessage, message: text }: Fault): Reply {
  return plainReply(faults[code].status, userMessage ?? message('text', { text }))
}

/** A text, with its length. Browsers must not cache it. */
export function textReply(made: { status: number; text: string; mediaType: string; fields?: readonly Field[] }): Reply {
  const body = Buffer.from(made.text)
  return {
    status: made.status,
    reason: reasonOf[made.status] ?? '',
    fields: [
      ['Content-Type', `${made.mediaType}; charset=utf-8`],
      ...(made.status === 204 ? [] : [['Content-Length', String(body.length)] as const]),
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
      ...(made.fields ?? []),
    ],
    body,
    capture: undefined,
    missing: false,
  }
}

/** The reply to a HEAD request: all fields, no content (RFC 9110 9.3.2). */
export async function withoutBody(reply: Reply): Promise<Reply> {
  await closeContent(reply.body)
  return { ...reply, body: new Uint8Array(0) }
}

/** Reason phrases of the statuses that the viewer sets itself (RFC 9110 15). */
export const reasonOf: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  206: 'Partial Content',
  304: 'Not Modified',
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  421: 'Misdirected Request',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** A link on a page of the viewer. */
export interface PageLink {
  text: Message
  href: string
}

/** An HTML page about a URL, in English. `head` is additional HTML for its head. The links are removed where the page is in a frame: they lead to
 *  commands, which no page may frame. */
export function htmlPage(about: {
  title: Message
  text: readonly Message[]
  url: string
  head?: string
  links?: readonly PageLink[]
}): string {
  const { url, head = '', links = [] } = about
  const [title, text] = [textOf(about.title), about.text.map(textOf).join(' ')]
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapedHtml(title)}</title>
<meta name="color-scheme" content="light dark">${head}
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em">
<h1 style="font-size:1.3em">${escapedHtml(title)}</h1><p>${escapedHtml(text)}</p><p style="overflow-wrap:anywhere"><code>${escapedHtml(url)}</code></p>${linkList(links)}
</html>
`
}

function linkList(links: readonly PageLink[]): string {
  if (links.length === 0) return ''
  const items = links.map(
    ({ text, href }) => `<li><a href="${escapedHtml(href)}">${escapedHtml(textOf(text))}</a></li>`,
  )
  return `<ul>${items.join('')}</ul><script>if (self !== top) document.querySelector('ul').remove()</script>`
}
