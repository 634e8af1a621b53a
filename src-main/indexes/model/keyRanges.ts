/** Converts a query to ranges of keys, so that its captures are found without a scan. Pure. */
import { surt } from '../../formats/cdx/surt.ts'

/** `exact`: captures of one URL. `prefix`: of all URLs that begin with it. `host`: of one host and port. `domain`: of a host
 *  and all hosts below it, on every port. */
export type MatchType = 'exact' | 'prefix' | 'host' | 'domain'

/** Keys from `from` on and before `to`. */
export interface KeyRange {
  from: string
  /** The first key after the range. */
  to: string
}

/** Ranges in ascending order, without overlap. */
export function keyRanges(url: string, matchType: MatchType): KeyRange[] {
  const key = surt(url)
  // Keys contain no blanks, and no character of a key sorts before one.
  if (matchType === 'exact') return [{ from: key, to: `${key} ` }]
  if (matchType === 'prefix') return [beginningWith(asPrefix(key, url))]
  const hostEnd = key.indexOf(')')
  if (hostEnd < 0) return []
  const host = key.slice(0, hostEnd)
  if (matchType === 'host') return [beginningWith(`${host})`)]
  const name = host.replace(/:\d+$/, '')
  // `)` ends the host name, `,` continues with a subdomain, `:` precedes a port. Other names that begin alike continue
  // with another character.
  return [`${name})`, `${name},`, `${name}:`].map(beginningWith)
}

/** Ranges of the key itself and of keys that continue with `sign`. */
export function rangesFrom(key: string, sign: '?' | '&'): KeyRange[] {
  return [{ from: key, to: `${key} ` }, beginningWith(`${key}${sign}`)]
}

/** Restores the trailing slash that keys lose. In a prefix it means everything below. */
function asPrefix(key: string, url: string): string {
  return url.endsWith('/') && !key.endsWith('/') && !url.includes('?') ? `${key}/` : key
}

function beginningWith(text: string): KeyRange {
  const last = text.charCodeAt(text.length - 1)
  return { from: text, to: text.slice(0, -1) + String.fromCharCode(last + 1) }
}
