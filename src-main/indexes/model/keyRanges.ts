/** Which keys a query means: stretches of the order in which they lie, so that they are found and not looked for. Pure. */
import { surt } from '../../formats/cdx/surt.ts'

/** `exact`: the captures of one address. `prefix`: of all that begin with it. `host`: of one host, at its port. `domain`: of a host and
 *  those below it, at every port. */
export type MatchType = 'exact' | 'prefix' | 'host' | 'domain'

export interface KeyRange {
  from: string
  /** The first key behind it. */
  to: string
}

/** In order, and without overlap. */
export function keyRanges(url: string, matchType: MatchType): KeyRange[] {
  const key = surt(url)
  // No key has a blank, and nothing that a key has sorts before it.
  if (matchType === 'exact') return [{ from: key, to: `${key} ` }]
  if (matchType === 'prefix') return [beginningWith(asPrefix(key, url))]
  const hostEnd = key.indexOf(')')
  if (hostEnd < 0) return []
  const host = key.slice(0, hostEnd)
  if (matchType === 'host') return [beginningWith(`${host})`)]
  const name = host.replace(/:\d+$/, '')
  // `)` ends the name, `,` goes on below it, `:` comes before a port. Names that only begin alike go on with something else.
  return [`${name})`, `${name},`, `${name}:`].map(beginningWith)
}

/** The key itself, and those that go on behind it with this sign. */
export function rangesFrom(key: string, sign: '?' | '&'): KeyRange[] {
  return [{ from: key, to: `${key} ` }, beginningWith(`${key}${sign}`)]
}

/** A key has lost the stroke at its end, which here says that what is meant is below it. */
function asPrefix(key: string, url: string): string {
  return url.endsWith('/') && !key.endsWith('/') && !url.includes('?') ? `${key}/` : key
}

function beginningWith(text: string): KeyRange {
  const last = text.charCodeAt(text.length - 1)
  return { from: text, to: text.slice(0, -1) + String.fromCharCode(last + 1) }
}
