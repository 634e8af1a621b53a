/** What a URL is known and grouped by: the key of its document, its origin, its registered domain. Pure. */
import { hash } from 'node:crypto'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'

/** The registered domain of a URL or an origin; empty for files. */
export function domainOf(url: string): string {
  return registeredDomain(URL.parse(url)?.hostname ?? '')
}

/** The origin of a URL. Files have none; in the queue they belong to one host without a name. */
export function originOf(url: string): string {
  const { origin, protocol } = new URL(url)
  return protocol === 'file:' ? 'file://' : origin
}

export function keyOf(url: string): Uint8Array {
  return hash('sha256', url, 'buffer')
}
