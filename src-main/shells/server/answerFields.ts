/** Fields of the answers that the DevTools protocol reports: their names have the case in which the server sent them. */

/** Returns the value of a field. `name`: in lower case. */
export function fieldIn(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([sent]) => sent.toLowerCase() === name)?.[1]
}
