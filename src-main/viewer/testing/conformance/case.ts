/** What a row of the conformance table is: what is archived, what a browser asks, and what must come back. */
import type { Row } from '../../../indexes/testing/archiveFixture.ts'

/** A proxied request, HTTP/1.1 inside TLS, HTTP/2 inside TLS. Pages in a real browser ask the same rows where they can
 *  (`e2e/specs/conformance.browser.spec.ts`). */
export const ways = ['plain', 'secure', 'http2'] as const
export type Way = (typeof ways)[number]

export interface Archived extends Omit<Row, 'url' | 'at'> {
  at?: string
  /** After the row's own URL. */
  path?: string
  /** Another address altogether. */
  url?: string
  /** One byte of the record is not what was written. */
  isSpoiled?: boolean
}

export interface Ask {
  method?: string
  path?: string
  fields?: readonly (readonly [string, string])[]
  content?: string
  /** The same was asked before, and the ETag that came is sent in this field. */
  eTagIn?: string
}

export interface Comes {
  status: number
  /** HTTP/1.1 says it. */
  reason?: string
  /** The values of each name, in their order; none: it is not there. */
  fields?: Readonly<Record<string, string | readonly string[]>>
  /** One value of each name, among others that the viewer says itself. */
  fieldsHave?: Readonly<Record<string, string>>
  /** Exactly these bytes. */
  body?: string | Uint8Array
  /** Of bodies that tell more than the row is about. */
  bodyHas?: string
  /** What a browser makes of the body, whatever it takes. */
  decoded?: string | Uint8Array
  /** What a browser keeps of an empty store, until it is closed: `name=value`. */
  cookies?: readonly string[]
  /** It ends before it is whole, and says so. */
  isBroken?: boolean
}

export interface Case {
  name: string
  archived?: Archived | readonly Archived[]
  ask?: Ask
  comes: Comes
  ways?: readonly Way[]
}

export const capturedAt = '2024-02-29T12:30:05Z'
export const host = 'rows.example'

export const html = [['Content-Type', 'text/html']] as const
export const plain = [['Content-Type', 'text/plain']] as const

/** Letters without sense: more than is unpacked at once, also when they are compressed, so it is read as it is sent. */
export const large = Buffer.from(noise().toString('base64').slice(0, 1_600_000))

/** More than is read ahead of such a stream, and unpacked at once all the same. */
export const middling = Buffer.alloc(700_000, 'all work and no play makes a middling body. ')

/** Bytes that do not shrink, more than are unpacked at once. */
export function noise(): Buffer {
  const bytes = Buffer.alloc(2_000_000)
  let state = 1
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

export function chunked(body: string | Uint8Array, size: number, trailer = ''): Buffer {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)])
}
