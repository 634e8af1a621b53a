/** Text with one value per line, with the line number of each value. */
export interface TypedLine {
  /** Line number, from 1. */
  line: number
  text: string
}

/** Returns the lines that are not empty. */
export function linesIn(text: string): TypedLine[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}

export function textsIn(text: string): string[] {
  return linesIn(text).map((line) => line.text)
}
