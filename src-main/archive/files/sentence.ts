/** A text as a sentence: with a capital at its beginning and a stop at its end, where it has none. */

/** What a replica or a disk says comes without its stop, and may be followed by more. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
