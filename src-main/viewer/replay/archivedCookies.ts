/** Converts archived Set-Cookie fields (RFC 6265 5.2): cookies that were valid when captured become session cookies, whatever
 *  the date is today, and cookies that had expired are not set. Pure. */

/** The converted field. '' if the cookie must not be set. */
export function shownCookie(value: string, capturedMs: number): string {
  const [pair = '', ...attributes] = value.split(';')
  const times = attributes.map(timeOf)
  if (times.every((time) => time === undefined)) return value
  if (hasExpired(times, capturedMs)) return ''
  return [pair, ...attributes.filter((_, index) => times[index] === undefined)].join(';')
}

/** An attribute that limits the life of a cookie. */
type Time = { kind: 'max-age'; seconds: number } | { kind: 'expires'; atMs: number }

/** Parses an attribute; undefined for any other than Max-Age and Expires. Netscape's dates with hyphens are
 *  accepted. */
function timeOf(attribute: string): Time | undefined {
  const equals = attribute.indexOf('=')
  const kind = (equals < 0 ? attribute : attribute.slice(0, equals)).trim().toLowerCase()
  const text = equals < 0 ? '' : attribute.slice(equals + 1).trim()
  if (kind === 'max-age') return { kind, seconds: Number(text) }
  return kind === 'expires' ? { kind, atMs: Date.parse(text.replace(/(\d)-(\w{3})-(\d)/, '$1 $2 $3')) } : undefined
}

/** Max-Age takes precedence over Expires, and the last of each counts. Invalid values are ignored, as in browsers. */
function hasExpired(times: readonly (Time | undefined)[], capturedMs: number): boolean {
  const age = times.findLast((time) => time?.kind === 'max-age' && !Number.isNaN(time.seconds))
  if (age?.kind === 'max-age') return age.seconds <= 0
  const expires = times.findLast((time) => time?.kind === 'expires' && !Number.isNaN(time.atMs))
  return expires?.kind === 'expires' && expires.atMs <= capturedMs
}
