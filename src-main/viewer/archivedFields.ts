/** Which fields of an archived answer go to the browser, and how: everything that describes the page, nothing that
 *  describes the connection it came over, and nothing that would make the browser leave the archive, refuse to show the
 *  page in our frame, or answer from its own store with another moment. Pure. */
import type { Field } from './resolvers.ts'

const dropped: Readonly<Record<string, readonly string[]>> = {
  // RFC 9110 7.6.1 and RFC 9112: between two neighbours only. Length and coding are said anew for the bytes we send.
  hopByHop: [
    'connection',
    'content-length',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authentication-info',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
  // The page is shown in a frame of the interface.
  framing: ['x-frame-options'],
  // What a browser remembers of a host beyond this answer: https only, other servers, keys, error reports.
  remembered: [
    'alt-svc',
    'clear-site-data',
    'expect-ct',
    'nel',
    'public-key-pins',
    'public-key-pins-report-only',
    'report-to',
    'reporting-endpoints',
    'strict-transport-security',
    'content-security-policy-report-only',
  ],
  // The next view shows another moment under the same address: the browser must ask again (see `asked anew`).
  caching: ['age', 'cache-control', 'expires', 'pragma'],
  // Said by us.
  ours: ['accept-ranges', 'content-range', 'memento-datetime', 'x-loupe'],
}
const droppedNames = new Set(Object.values(dropped).flat())

/** RFC 9110 5.6.2. Others cannot be said by any server, and a browser would refuse the whole answer. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

export function shownFields(archived: readonly Field[], capturedMs: number): Field[] {
  const named = new Set(
    archived
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/)),
  )
  const kept = archived.flatMap(([name, value]): Field[] => {
    const lower = name.toLowerCase()
    if (droppedNames.has(lower) || named.has(lower) || !token.test(name)) return []
    if (lower !== 'content-security-policy') return [[name, value]]
    const policy = shownPolicy(value)
    return policy === '' ? [] : [[name, policy]]
  })
  // no-cache, not no-store: it may be kept for going back, but not be used again without asking (RFC 9111 5.2.2.4).
  return [...kept, ['Cache-Control', 'no-cache'], ['Memento-Datetime', new Date(capturedMs).toUTCString()]]
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
