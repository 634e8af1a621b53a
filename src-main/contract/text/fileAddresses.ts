/**
 * Addresses of documents from folders. Browsers send no request for a `file:` address to a proxy, so these documents are requested under a
 * name that no site can have (`.invalid`, RFC 6761 6.4), with the same path: links between them keep working. The viewer proxy converts
 * such an address back, and users always see the `file:` address.
 */

/** The part of `URL` that is used here. Browsers and Node both have it; the contract is compiled without the types of either. */
interface Address {
  protocol: string
  host: string
  pathname: string
  hash: string
}
declare const URL: { new (text: string): Address; parse(text: string): Address | null }

const filesOrigin = 'http://files.viewerproxy.invalid'

/** Returns the address with which a browser requests the capture of an archived address. */
export function browserAddress(archived: string): string {
  const url = URL.parse(archived)
  if (url?.protocol !== 'file:' || url.host !== '') return archived
  return `${filesOrigin}${url.pathname}${url.hash}`
}

/** Returns the URL of the capture for a URL that a browser requested. A file has no query: one added by a page is for a script. */
export function archivedAddress(asked: string): string {
  if (!asked.startsWith(`${filesOrigin}/`)) return asked
  const { pathname, hash } = new URL(asked)
  return `file://${pathname}${hash}`
}
