/** A date as HTTP writes them (RFC 9110 5.6.7), the old forms too; undefined: it is none. In a condition the field is then left aside. */
export function httpDate(field: string | undefined): number | undefined {
  const atMs = field !== undefined && /GMT\s*$/.test(field) ? Date.parse(field) : NaN
  return Number.isNaN(atMs) ? undefined : atMs
}
