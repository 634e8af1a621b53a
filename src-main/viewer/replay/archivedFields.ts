/** Which fields of an archived answer go to the browser, and how: everything that describes the page, nothing that describes the
 *  connection it came over. What would make the browser leave the archive, refuse to show the page in our frame, remember
 *  something beyond the viewing or answer from its own store with another moment is said under another name. Pure. */
import { fieldsOf } from '../../formats/http/http.ts'
import { shownCookie } from './archivedCookies.ts'
import type { Field } from '../model/reply.ts'

/** RFC 9110 7.6.1 and RFC 9112: between two neighbours only. The coding is said anew for the bytes we send. */
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
  // Said anew for what we send of it.
  'accept-ranges',
  'content-range',
]

const renamed = [
  // The page is shown in a frame of the interface.
  'x-frame-options',
  // What a browser remembers of a host beyond this answer: https only, other servers, keys, error reports, what to send along,
  // dictionaries to decode with.
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
  // The next view shows another moment under the same address: the browser must ask again, by our name for the capture (see
  // `validators.ts`).
  'age',
  'cache-control',
  'etag',
  'expires',
  'pragma',
  // Said by us. A length often is not that of what was stored: harvesters decode a body, drop its Content-Encoding and keep the length
  // (`example-iana.warc` of py-wacz has 648 bytes said of 1256), and cut long bodies off. So what is there is sent whole, under its own
  // length, which is what the browser saw; where a server said too little itself, some bytes come that it did not see.
  'content-length',
  'memento-datetime',
]
const dropped = new Set(hopByHop)
const kept = new Set(renamed)

/** RFC 9110 5.6.2. Others cannot be said by any server, and a browser would refuse the whole answer. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** No answer can hold these (RFC 9110 5.5): what comes behind would be another field. */
const breaking = /[\r\n\0]/

export function shownFields(archived: readonly Field[], capturedMs: number): Field[] {
  // Not split by an expression with the blanks around a comma: many blanks take it a time that grows with their square.
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
  // no-cache, not no-store: it may be kept for going back, but not be used again without asking (RFC 9111 5.2.2.4).
  return [...shown, ['Cache-Control', 'no-cache'], ['Memento-Datetime', new Date(capturedMs).toUTCString()]]
}

function shownField(name: string, value: string, capturedMs: number): Field[] {
  const lower = name.toLowerCase()
  const original: Field = [`X-Archive-Orig-${name}`, value]
  // Names of ours, which an archived page (of another archive, say) must not speak under.
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

const droppedDirectives = new Set([
  'frame-ancestors',
  'upgrade-insecure-requests',
  'block-all-mixed-content',
  'report-uri',
  'report-to',
])

/** A Content-Security-Policy without what fights against being replayed; one field may hold several policies, parted by
 *  commas (CSP 3, 2.2.2). '' when nothing is left. */
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
