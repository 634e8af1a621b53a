/** Parses a SHA-256 that a user typed or pasted from a list of checksums, and finds its difference from another. The engine decides whether
 *  it is the expected one. */

export type ChecksumText =
  | { kind: 'checksum'; sha256: string }
  | { kind: 'empty' }
  | { kind: 'length'; count: number }
  /** `at`: the position of the character, from 1. */
  | { kind: 'letter'; letter: string; at: number }

const digitsCount = 64

/** Accepts a prefix `sha256:` and a file name after the checksum, as `sha256sum` prints it. */
export function checksumIn(text: string): ChecksumText {
  const [given = ''] = text
    .trim()
    .toLowerCase()
    .replace(/^(?:sha-?256[:=]\s*|\\)/, '')
    .split(/\s/)
  if (given === '') return { kind: 'empty' }
  const at = [...given].findIndex((letter) => !/[0-9a-f]/.test(letter))
  if (at >= 0) return { kind: 'letter', letter: [...given][at] ?? '', at: at + 1 }
  return given.length === digitsCount ? { kind: 'checksum', sha256: given } : { kind: 'length', count: given.length }
}

export interface Difference {
  /** Position of the first character that differs, from 1. */
  first: number
  count: number
}

/** First difference of two checksums; undefined when they are equal. */
export function differenceBetween(one: string, other: string): Difference | undefined {
  const places = [...one].flatMap((letter, index) => (letter === other[index] ? [] : [index + 1]))
  const [first] = places
  return first === undefined ? undefined : { first, count: places.length }
}
