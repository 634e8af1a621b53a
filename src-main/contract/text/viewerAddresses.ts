/**
 * Addresses with which a browser requests captures that are not of the Web. Browsers send no request for `file:`, `ftp:` or an unknown scheme
 * to a proxy, so these captures are requested under names that no site can have (`.invalid`, RFC 6761 6.4), with the same path: links
 * between them keep working. The viewer proxy converts such an address back, and users always see the archived address.
 */

/** The part of `URL` that is used here. Browsers and Node both have it; the contract is compiled without the types of either. */
interface Address {
  protocol: string
  host: string
  pathname: string
  search: string
  hash: string
  href: string
}
declare const URL: { new (text: string): Address; parse(text: string): Address | null }

const filesOrigin = 'http://files.viewerproxy.invalid'
const schemesDomain = '.schemes.viewerproxy.invalid'

/** Schemes that a browser follows itself, so that they are never requested as captures. */
const ownSchemes = new Set([
  'http',
  'https',
  'ws',
  'wss',
  'javascript',
  'data',
  'blob',
  'about',
  'mailto',
  'view-source',
])

/** The scheme of a URL whose captures are requested under a name of their own; undefined for one of the Web, and for one that a browser
 *  follows itself. */
export function otherScheme({ protocol }: Pick<Address, 'protocol'>): string | undefined {
  const scheme = protocol.slice(0, -1)
  // As a part of a host name, a scheme must not have dots or plus signs (RFC 3986 section 3.1 allows both).
  return ownSchemes.has(scheme) || scheme === 'file' || !/^[a-z][a-z0-9-]*$/.test(scheme) ? undefined : scheme
}

/** Returns the address with which a browser requests the capture of an archived address. */
export function browserAddress(archived: string): string {
  const url = URL.parse(archived)
  if (url === null) return archived
  if (url.protocol === 'file:' && url.host === '') return `${filesOrigin}${url.pathname}${url.hash}`
  const scheme = otherScheme(url)
  if (scheme === undefined) return archived
  return `http://${scheme}${schemesDomain}/${url.href.slice(url.protocol.length)}`
}

/** Returns the URL of the capture for a URL that a browser requested. A file has no query: one added by a page is for a script. */
export function archivedAddress(asked: string): string {
  if (asked.startsWith(`${filesOrigin}/`)) {
    const { pathname, hash } = new URL(asked)
    return `file://${pathname}${hash}`
  }
  if (!asked.includes(schemesDomain)) return asked
  const url = URL.parse(asked)
  if (url?.protocol !== 'http:' || !url.host.endsWith(schemesDomain)) return asked
  const scheme = url.host.slice(0, -schemesDomain.length)
  if (otherScheme({ protocol: `${scheme}:` }) === undefined) return asked
  return `${scheme}:${`${url.pathname}${url.search}${url.hash}`.slice(1)}`
}
