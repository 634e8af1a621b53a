/** Numbers of jobs that somebody types, separated by commas. */

/** Returns the numbers, none for an empty text; null if the text is something else. */
export function jobsOf(text: string): number[] | null {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.every((part) => part === '')) return []
  return parts.every((part) => /^[1-9]\d{0,14}$/.test(part)) ? [...new Set(parts.map(Number))] : null
}
