/** Converts an entry of a HAR file to HTTP messages: heads rebuilt from their fields, bodies from their text. A HAR
 *  holds bodies as the browser decoded them, without transfer and content coding, so the fields about those codings
 *  no longer match. They keep their values under the name that replay tools use for original fields,
 *  `X-Archive-Orig-…`. Nothing else is changed, and nothing is added that the entry does not contain. */
import { finding, type Finding } from '../rules/finding.ts'
import { listOf } from '../http/http.ts'
import { bodyOf, codingsFit, type Body } from './harBody.ts'
import { isObject } from '../bytes/json.ts'
import type { HarEntry } from './har.ts'

/** A message as bytes: the head with its blank line, and the body. */
export interface HttpMessage {
  head: Uint8Array
  body: Uint8Array
}

/** A request and its response. */
export interface Exchange {
  url: string
  /** Time when the request was sent. */
  startedMs: number
  /** IP address of the server; undefined when the entry does not have it. */
  address: string | undefined
  /** Protocol of the connection as in `WARC-Protocol`, for example `h2`. The heads here are always HTTP/1.1. */
  protocol: string | undefined
  request: HttpMessage
  response: HttpMessage
}

/** Converts an entry. `exchange` is undefined when the entry has to be skipped; the last finding is the reason. */
export function exchangeOf(entry: HarEntry): { exchange: Exchange | undefined; findings: Finding[] } {
  const findings: Finding[] = []
  const report = (found: Finding) => void findings.push({ ...found, offset: entry.offset, record: entry.number })
  return { exchange: read(entry.value, report), findings }
}

type Report = (found: Finding) => void
type Values = Readonly<Record<string, unknown>>
type Field = [name: string, value: string]

function read(entry: Values, report: Report): Exchange | undefined {
  const request = objectIn(entry, 'request')
  const response = objectIn(entry, 'response')
  const url = targetOf(textIn(request, 'url'), report)
  if (!url) return undefined
  const status = response.status
  // Chrome writes 0 for a request without response, Playwright -1.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999) {
    report(finding('harFailed', { url: url.href.slice(0, 200), status: String(status) }))
    return undefined
  }
  const startedMs = startOf(textIn(entry, 'startedDateTime'))
  if (startedMs === undefined) {
    report(finding('harDateInvalid', { date: textIn(entry, 'startedDateTime').slice(0, 60) }))
    return undefined
  }
  const method = tokenOr(textIn(request, 'method'), 'GET')
  return {
    url: url.href,
    startedMs,
    address: addressOf(textIn(entry, 'serverIPAddress')),
    protocol: protocolOf(textIn(response, 'httpVersion') || textIn(request, 'httpVersion')),
    request: requestOf({ request, url, method }, report),
    response: responseOf({ response, status, method }, report),
  }
}

/** Returns the URL without fragment, which is not sent (RFC 3986, 3.5). */
function targetOf(text: string, report: Report): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) {
    report(finding('harEntryDamaged.url', { url: text.slice(0, 200) }))
    return undefined
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    report(finding('harNotWeb', { url: text.slice(0, 60) }))
    return undefined
  }
  url.hash = ''
  return url
}

/** Parses the start time (HAR 1.2: ISO 8601 with a time zone). A record cannot contain years outside of four digits. */
function startOf(text: string): number | undefined {
  const startedMs = /^\d{4}-/.test(text) ? Date.parse(text) : NaN
  const year = new Date(startedMs).getUTCFullYear()
  return year >= 1 && year <= 9999 ? startedMs : undefined
}

/** Returns the IP address when it is valid. Chrome writes IPv6 addresses in brackets. */
function addressOf(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1')
  return /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:]*:[\da-f.]*)$/i.test(address) ? address : undefined
}

/** Returns the protocol under its name in RFC 7301, which WARC-Protocol uses. Tools write it in many forms
 *  (`HTTP/2.0`, `http/2`, `h2`, `h3-29`). */
function protocolOf(text: string): string | undefined {
  const name = text.toLowerCase()
  if (/^(h2|http\/2(\.0)?)$/.test(name)) return 'h2'
  if (/^(h3(-.*)?|http\/3(\.0)?|quic)$/.test(name)) return 'h3'
  return /^http\/1\.[01]$/.test(name) ? name : undefined
}

function requestOf(made: { request: Values; url: URL; method: string }, report: Report): HttpMessage {
  const { request, url, method } = made
  const fields = fieldsOfMessage(request, report)
  // RFC 9112, 3.2, requires a Host; HTTP/2 has it in the pseudo field :authority.
  if (!fields.some(([name]) => name.toLowerCase() === 'host')) fields.unshift(['Host', url.host])
  const body = postedOf(objectIn(request, 'postData'))
  const first = `${method} ${url.pathname}${url.search} HTTP/1.1`
  return { head: headOf(first, refitted(fields, body, false)), body: body.bytes }
}

function responseOf(made: { response: Values; status: number; method: string }, report: Report): HttpMessage {
  const { response, status, method } = made
  const content = objectIn(response, 'content')
  const fields = fieldsOfMessage(response, report)
  const redirect = textIn(response, 'redirectURL')
  const isMoved = status >= 300 && status < 400
  // Chrome omits the fields of a redirect that it answered from its cache, but keeps its target.
  if (isMoved && redirect !== '' && valueIn(fields, 'location') === undefined)
    fields.push(['Location', cleaned(redirect)])
  const mediaType = valueIn(fields, 'content-type') ?? textIn(content, 'mimeType')
  const body = bodyOf({ text: content.text, encoding: content.encoding, mediaType, report })
  // RFC 9110, 6.4.1 and 8.6: these have no body, whatever length they state.
  const isBodiless = method === 'HEAD' || status === 204 || status === 304 || (status >= 100 && status < 200)
  // Playwright writes a size of -1 for a missing body; the head may still state its length.
  const size = Math.max(typeof content.size === 'number' ? content.size : 0, lengthIn(fields))
  if (body.absent && size > 0 && !isBodiless) report(finding('harNoBody', { bytes: size }))
  const first = `HTTP/1.1 ${status} ${cleaned(textIn(response, 'statusText'))}`
  return { head: headOf(first, refitted(fields, body, isBodiless && body.bytes.length === 0)), body: body.bytes }
}

/** Returns the body of a request, given as text or as the pairs of a form (HAR 1.2, postData). */
function postedOf(data: Values): Body {
  const mediaType = textIn(data, 'mimeType')
  if (typeof data.text === 'string' && (data.text !== '' || !Array.isArray(data.params)))
    return bodyOf({ text: data.text, encoding: data.encoding, mediaType, report: () => undefined })
  const pairs = (Array.isArray(data.params) ? data.params : []).filter(isObject)
  const form = new URLSearchParams(pairs.map((pair): Field => [textIn(pair, 'name'), textIn(pair, 'value')]))
  const isForm = /^application\/x-www-form-urlencoded/i.test(mediaType)
  return { bytes: Buffer.from(isForm ? form.toString() : ''), absent: !isForm, charset: undefined, mayBeCoded: false }
}

/** Returns the fields of a message in order, without those that HTTP/1.1 does not allow. */
function fieldsOfMessage(message: Values, report: Report): Field[] {
  const fields: Field[] = []
  for (const field of (Array.isArray(message.headers) ? message.headers : []).filter(isObject)) {
    const name = textIn(field, 'name')
    // RFC 9113, 8.3: pseudo fields are the request line and the status line of HTTP/2.
    if (name.startsWith(':')) continue
    if (!tokenForm.test(name)) {
      report(finding('harFieldOdd.name', { field: name.slice(0, 40) }))
      continue
    }
    // Chrome joins fields with the same name, such as Set-Cookie, with line feeds.
    for (const value of textIn(field, 'value').split('\n')) {
      const clean = cleaned(value)
      if (clean !== value.trim()) report(finding('harFieldOdd', { field: name }))
      fields.push([name, clean])
    }
  }
  return fields
}

/** Renames the fields that no longer describe the body. */
function refitted(fields: Field[], body: Body, isBodiless: boolean): Field[] {
  if (isBodiless) return fields
  const hasCodings = body.mayBeCoded && codingsFit(body.bytes, listOf({ fields }, 'content-encoding'))
  const isPast = ([name, value]: Field): boolean => {
    const known = name.toLowerCase()
    if (known === 'content-length') return value !== String(body.bytes.length)
    if (known === 'content-encoding') return !hasCodings && !/^\s*identity\s*$/i.test(value)
    return known === 'transfer-encoding'
  }
  const kept = fields.map((field): Field => (isPast(field) ? [`X-Archive-Orig-${field[0]}`, field[1]] : field))
  return body.charset === undefined ? kept : kept.flatMap((field) => withCharset(field))
}

/** Makes Content-Type state that the body is UTF-8, and keeps the former value. */
function withCharset(field: Field): Field[] {
  const [name, value] = field
  if (name.toLowerCase() !== 'content-type') return [field]
  const bare = value.replace(/;\s*charset\s*=\s*("[^"]*"|[^;]*)/gi, '').trimEnd()
  return [
    [name, `${bare}; charset=utf-8`],
    [`X-Archive-Orig-${name}`, value],
  ]
}

/** Joins the first line and the fields to a head (RFC 9112, 2.1). */
function headOf(first: string, fields: Field[]): Uint8Array {
  const lines = [first, ...fields.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([...lines.map((line) => lineBytes(`${line}\r\n`)), Buffer.from('\r\n')])
}

/** Encodes a line. Fields are bytes (RFC 9110, 5.5: obs-text); tools give one character for each, or decode them as
 *  UTF-8. */
function lineBytes(line: string): Uint8Array {
  // oxlint-disable-next-line no-control-regex
  return Buffer.from(line, /^[\x00-\xff]*$/.test(line) ? 'latin1' : 'utf8')
}

/** Matches a token (RFC 9110, 5.6.2). */
const tokenForm = /^[\w!#$%&'*+.^`|~-]+$/

function tokenOr(text: string, otherwise: string): string {
  return tokenForm.test(text) ? text : otherwise
}

/** Replaces CR, LF and NUL in a value by a space, as recipients do (RFC 9110, 5.5). */
function cleaned(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\x00\r\n]+/g, ' ').trim()
}

function valueIn(fields: Field[], name: string): string | undefined {
  return fields.find(([field]) => field.toLowerCase() === name)?.[1]
}

function lengthIn(fields: Field[]): number {
  const text = valueIn(fields, 'content-length') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function objectIn(values: Values, key: string): Values {
  const value = values[key]
  return isObject(value) ? value : {}
}

function textIn(values: Values, key: string): string {
  const value = values[key]
  return typeof value === 'string' ? value : ''
}
