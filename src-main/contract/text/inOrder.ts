/** Whether the characters of a text occur in another one, in this order: a match for a name of which somebody typed parts. Both in lower
 *  case. */
export function isInOrder(typed: string, name: string): boolean {
  let at = -1
  for (const character of typed) {
    if (character === ' ') continue
    at = name.indexOf(character, at + 1)
    if (at < 0) return false
  }
  return true
}
