/** What is typed one a line, and where in the field each line stood. */
export interface TypedLine {
  /** From 1, as a person counts. */
  line: number
  text: string
}

/** Those that are not empty. */
export function linesIn(text: string): TypedLine[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}

export function textsIn(text: string): string[] {
  return linesIn(text).map((line) => line.text)
}
