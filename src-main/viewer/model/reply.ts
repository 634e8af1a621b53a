/** How the viewer answers: a chain of resolvers, each of which answers a request or asks the next one
 *  (command host → notifier of what is missing → archive), as the viewer proxy of NetarchiveSuite had it. Here are the
 *  shapes that pass along the chain and the small answers made by hand; no resolver is in this file. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Truncation } from '../../contract/states/outcomes.ts'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { closeContent, type Content } from './content.ts'
import type { ProxyCredentials } from './proxyCredentials.ts'

export interface BrowserRequest {
  method: string
  /** Absolute, as the browser asked for it. */
  url: string
  fields: IncomingHttpHeaders
  /** Who asks: name and password of the proxy connection (Proxy-Authorization, Basic); undefined when none were sent. */
  credentials: ProxyCredentials | undefined
  /** The content that came with the request, whole; undefined when it is larger than `requestContentBytesMax`. Read at most
   *  once, kept. */
  content: () => Promise<Uint8Array | undefined>
  /** Aborted when the browser no longer waits. */
  signal: AbortSignal
}

export interface Reply {
  status: number
  reason: string
  /** In the order in which they are sent; Content-Length is among them when the length is known. */
  fields: readonly Field[]
  /** When the browser is told that what it has is still right (RFC 9110 15.4.5): status and head of what it goes on showing. */
  representation?: { status: number; fields: readonly Field[] }
  /** Bytes go out in one send with the head. */
  body: Content
  /** Which capture answered. An archived 404 is an answer; a 404 of ours has none. */
  capture: IndexedCapture | undefined
  /** Why the content of that capture is not whole, as its record says (WARC-Truncated) or its body shows; absent: nothing says so. */
  truncated?: Truncation | undefined
  /** The jobs of the view have no answer to this request: a finding about the harvest. */
  missing: boolean
}

export type Field = readonly [name: string, value: string]

export type Resolver = (request: BrowserRequest) => Promise<Reply>

/** One sentence as plain text, never kept by a browser. */
export function plainReply(status: number, sentence: string, fields: readonly Field[] = []): Reply {
  return textReply({ status, text: sentence === '' ? '' : `${sentence}\n`, mediaType: 'text/plain', fields })
}

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

/** The same reply to HEAD: every field, no content (RFC 9110 9.3.2). */
export async function withoutBody(reply: Reply): Promise<Reply> {
  await closeContent(reply.body)
  return { ...reply, body: new Uint8Array(0) }
}

/** Standard phrases of the statuses that the viewer makes itself (RFC 9110 15). */
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

/** A page of ours about an address. `head`: more of its head, as HTML. */
export function htmlPage(about: { title: string; text: string; url: string; head?: string }): string {
  const { title, text, url, head = '' } = about
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapedHtml(title)}</title>
<meta name="color-scheme" content="light dark">${head}
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em">
<h1 style="font-size:1.3em">${escapedHtml(title)}</h1><p>${escapedHtml(text)}</p><p style="overflow-wrap:anywhere"><code>${escapedHtml(url)}</code></p>
</html>
`
}
