/** Parses dates of HTTP (RFC 9110, 5.6.7), including the two obsolete forms. Returns undefined for any other text:
 *  a condition with such a date is ignored. */

/** Returns the date in milliseconds since 1970. */
export function httpDate(field: string | undefined): number | undefined {
  const atMs = field !== undefined && /GMT\s*$/.test(field) ? Date.parse(field) : NaN
  return Number.isNaN(atMs) ? undefined : atMs
}
