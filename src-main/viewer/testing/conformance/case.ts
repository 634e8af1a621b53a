/** The rows of the conformance table. A row has the archived records, the request of a browser, and the expected response. */
import type { Row } from '../../../indexes/testing/archiveFixture.ts'

/** Plain proxy requests, HTTP/1.1 over TLS and HTTP/2 over TLS. A real browser requests the same rows where it can
 *  (`e2e/specs/conformance.browser.spec.ts`). */
export const ways = ['plain', 'secure', 'http2'] as const
export type Way = (typeof ways)[number]

export interface Archived extends Omit<Row, 'url' | 'at'> {
  at?: string
  /** Appended to the URL of the row. */
  path?: string
  /** Replaces the URL of the row. */
  url?: string
  /** One byte of the stored record is changed. */
  isSpoiled?: boolean
}

export interface Ask {
  method?: string
  path?: string
  fields?: readonly (readonly [string, string])[]
  content?: string
  /** The header that carries the ETag of an earlier response to the same request. */
  eTagIn?: string
}

export interface Comes {
  status: number
  /** Checked over HTTP/1.1 only: HTTP/2 has no reason phrase. */
  reason?: string
  /** All values of each header, in order. An empty list: the header is absent. */
  fields?: Readonly<Record<string, string | readonly string[]>>
  /** One value of each header. The viewer may add others. */
  fieldsHave?: Readonly<Record<string, string>>
  /** The exact bytes. */
  body?: string | Uint8Array
  /** A part of the body, where the rest does not matter. */
  bodyHas?: string
  /** The body after the browser has decoded it, whichever codings it accepts. */
  decoded?: string | Uint8Array
  /** The session cookies (`name=value`) that a browser has after the response, if it had none before. */
  cookies?: readonly string[]
  /** The body is cut off, and the framing shows it. */
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

/** Random letters. Too large to be decompressed at once, even when compressed, so the body is read while it is sent. */
export const large = Buffer.from(noise().toString('base64').slice(0, 1_600_000))

/** Larger than the read-ahead of such a stream, but still decompressed at once. */
export const middling = Buffer.alloc(700_000, 'all work and no play makes a middling body. ')

/** Incompressible bytes, too many to be decompressed at once. */
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
