/** How well names match what somebody types: the same for the engine's names and for those that the interface knows. */

/** Best first. `begins`: each word of the text begins a word of the name. `contains`: the text is a part of the name. `inOrder`: the name has
 *  the characters of the text, without spaces, in this order. */
export const nameRanks = ['begins', 'contains', 'inOrder'] as const
export type NameRank = (typeof nameRanks)[number]

/** Returns a function that ranks a name; undefined: it does not match. The text and the names are in lower case. */
export function nameRanker(text: string): (name: string) => NameRank | undefined {
  const words = [...new Set(wordsOf(text))]
  const characters = text.replaceAll(' ', '')
  return (name) => {
    if (words.length > 0 && words.every((word) => hasWord(name, word))) return 'begins'
    if (name.includes(text)) return 'contains'
    return isInOrder(characters, name) ? 'inOrder' : undefined
  }
}

/** Words of a name: runs of letters and digits. */
export function wordsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Whether a word of the name begins so. */
function hasWord(name: string, beginning: string): boolean {
  for (let at = name.indexOf(beginning); at >= 0; at = name.indexOf(beginning, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name[at - 1] ?? '')) return true
  return false
}

function isInOrder(characters: string, name: string): boolean {
  let at = -1
  for (const character of characters) {
    at = name.indexOf(character, at + 1)
    if (at < 0) return false
  }
  return true
}
