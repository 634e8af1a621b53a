/** A text as the shell of a terminal takes it for one word. */
export function shellWord(text: string): string {
  return /^[\w/.:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
