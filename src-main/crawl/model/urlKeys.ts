/** Keys by which URLs are identified and grouped: the key of the document, the origin, the registered domain. Pure. */
import { hash } from 'node:crypto'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'

/** Returns the registered domain of a URL or an origin; empty for files. */
export function domainOf(url: string): string {
  return registeredDomain(URL.parse(url)?.hostname ?? '')
}

/** Returns the origin of a URL. Those of files, and of sources that are modules, have none; in the queue they belong to one host without a
 *  name per scheme, such as `file://`. */
export function originOf(url: string): string {
  const { origin, protocol } = new URL(url)
  return origin === 'null' ? `${protocol}//` : origin
}

/** Returns the key of a document: the SHA-256 digest of its canonical URL. */
export function keyOf(url: string): Uint8Array {
  return hash('sha256', url, 'buffer')
}
