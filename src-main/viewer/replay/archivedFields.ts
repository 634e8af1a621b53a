/** Converts the fields of an archived response for the browser. Fields that describe the page are kept and fields about the
 *  connection dropped. Fields that would make the browser leave the archive, refuse to show the page in a frame, remember
 *  something beyond the viewing, or reuse another moment from its cache are renamed to `X-Archive-Orig-…`. Pure. */
import { fieldsOf } from '../../formats/http/http.ts'
import { shownCookie } from './archivedCookies.ts'
import type { Field } from '../model/reply.ts'

/** Fields about one connection (RFC 9110 7.6.1, RFC 9112), and fields that are set again for the bytes that are sent. */
const hopByHop = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // Set again for the part that is sent.
  'accept-ranges',
  'content-range',
]

/** Fields that are kept only under another name. */
const renamed = [
  // The interface shows pages in a frame.
  'x-frame-options',
  // State that browsers keep per host: https only, other servers, keys, error reports, client hints, compression
  // dictionaries.
  'accept-ch',
  'alt-svc',
  'clear-site-data',
  'critical-ch',
  'expect-ct',
  'nel',
  'public-key-pins',
  'public-key-pins-report-only',
  'report-to',
  'reporting-endpoints',
  'strict-transport-security',
  'use-as-dictionary',
  'content-security-policy-report-only',
  // The next view may show another moment under the same URL, so the browser must revalidate, by the ETag of this capture
  // (see `validators.ts`).
  'age',
  'cache-control',
  'etag',
  'expires',
  'pragma',
  // Set by the viewer. An archived length often is not that of the stored bytes: harvesters decode a body, drop its
  // Content-Encoding and keep the length (`example-iana.warc` of py-wacz has 648 instead of 1256), or truncate long
  // bodies. So the stored bytes are sent completely with their own length. If the server itself announced too few, the
  // browser now gets some bytes that it did not get then.
  'content-length',
  'memento-datetime',
]
const dropped = new Set(hopByHop)
const kept = new Set(renamed)

/** A field name (RFC 9110 5.6.2). Browsers refuse a whole response with an invalid one. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Characters that would start another field (RFC 9110 5.5). */
const breaking = /[\r\n\0]/

/** Converts the fields of a capture, in their order, and adds those of the viewer. `capturedMs` is the time of the
 *  capture. */
export function shownFields(archived: readonly Field[], capturedMs: number): Field[] {
  // Not split by a regular expression with optional blanks around the comma: its time grows with the square of the number
  // of blanks.
  const named = fieldsOf({ fields: archived }, 'connection').flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  const shown: Field[] = []
  for (const [name, value] of archived) {
    const lower = name.toLowerCase()
    if (dropped.has(lower) || named.includes(lower) || !token.test(name) || breaking.test(value)) continue
    shown.push(...shownField(name, value, capturedMs))
  }
  // no-cache and not no-store: the browser may keep the response for going back, but must revalidate it (RFC 9111
  // 5.2.2.4).
  return [...shown, ['Cache-Control', 'no-cache'], ['Memento-Datetime', new Date(capturedMs).toUTCString()]]
}

function shownField(name: string, value: string, capturedMs: number): Field[] {
  const lower = name.toLowerCase()
  const original: Field = [`X-Archive-Orig-${name}`, value]
  // Field names of Loupe, which a page archived from another Loupe must not use.
  if (kept.has(lower) || /^x-(loupe|archive-orig-)/.test(lower)) return [original]
  const changed =
    lower === 'content-security-policy'
      ? shownPolicy(value)
      : lower === 'set-cookie'
        ? shownCookie(value, capturedMs)
        : value
  if (changed === value) return [[name, value]]
  return changed === '' ? [original] : [[name, changed], original]
}

/** Directives about frames, upgrades to https and reports, which an archive cannot honour. */
const droppedDirectives = new Set([
  'frame-ancestors',
  'upgrade-insecure-requests',
  'block-all-mixed-content',
  'report-uri',
  'report-to',
])

/** Removes directives that prevent replay from a Content-Security-Policy field, which may contain several policies (CSP 3,
 *  2.2.2). '' if nothing is left. */
export function shownPolicy(value: string): string {
  const policies = value.split(',').map((policy) =>
    policy
      .split(';')
      .map((directive) => directive.trim())
      .filter((directive) => directive !== '' && !droppedDirectives.has((directive.split(/\s/)[0] ?? '').toLowerCase()))
      .join('; '),
  )
  return policies.filter((policy) => policy !== '').join(', ')
}
