/** Offsets from UTC in written times (RFC 3339, 5.6), with or without the colon. */

/** Source of an expression that matches an offset; upper or lower case. */
export const utcOffsetForm = String.raw`Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d`

/** Returns an offset such as `+0200` in milliseconds; 0 for `Z` or none. The text has the form of `utcOffsetForm`. */
export function utcOffsetMs(offset: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset ?? '') ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
