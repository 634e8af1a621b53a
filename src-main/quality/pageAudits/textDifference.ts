/** How much two texts differ, in words. Pure, and linear in their length. */

/** Words without case; scripts without spaces count by character. */
const words = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|[\p{L}\p{N}]+/gu

/** Returns the part of the words of both texts that only one of them has: 0 for the same words, whatever their order; 1 for nothing in
 *  common. */
export function textDifference(one: string, other: string): number {
  const counts = new Map<string, number>()
  let total = 0
  let common = 0
  for (const [word] of one.toLowerCase().matchAll(words)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total += 1
  }
  for (const [word] of other.toLowerCase().matchAll(words)) {
    total += 1
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    common += 2
  }
  return total === 0 ? 0 : 1 - common / total
}
