/** Formats a time of the database, in milliseconds since 1970, as the contract sends it: ISO 8601, in UTC. */
export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
