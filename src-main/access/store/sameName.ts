/** Names as the database compares them: without the case of ASCII letters. */

/** Returns a text that is equal for names that are the same. */
export function foldedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether two names are the same. */
export function isSameName(one: string, other: string): boolean {
  return foldedName(one) === foldedName(other)
}
