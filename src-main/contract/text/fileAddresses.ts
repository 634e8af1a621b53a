/** A browser asks no proxy for `file:` addresses. So documents of folders are asked for under a name that no site can have
 *  (`.invalid`, RFC 6761 6.4), with the path that they had: links from one to the other lead where they always led. The viewer
 *  proxy turns such an address back, and whatever a person reads has the `file:` address. */

/** The part of `URL` that is used here. Browsers and Node both have it; the contract is checked without the types of either. */
interface Address {
  protocol: string
  host: string
  pathname: string
  hash: string
}
declare const URL: { new (text: string): Address; parse(text: string): Address | null }

const filesOrigin = 'http://files.viewerproxy.invalid'

/** What a browser is to be sent to, to see what was captured under this address. */
export function browserAddress(archived: string): string {
  const url = URL.parse(archived)
  if (url?.protocol !== 'file:' || url.host !== '') return archived
  return `${filesOrigin}${url.pathname}${url.hash}`
}

/** The URL of the capture for a URL that a browser requested. A file has no query: what a page puts there is for a script. */
export function archivedAddress(asked: string): string {
  if (!asked.startsWith(`${filesOrigin}/`)) return asked
  const { pathname, hash } = new URL(asked)
  return `file://${pathname}${hash}`
}
