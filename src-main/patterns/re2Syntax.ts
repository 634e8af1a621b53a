/** Converts classes and characters to RE2's syntax, with the meaning that they have in JavaScript where the two differ. */
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Largest code point of Unicode. */
export const codePointMax = 0x10ffff
/** A class that matches every character. */
export const anyCharacter = `[\\x{0}-${hex(codePointMax)}]`
/** A class that matches no character. */
export const noCharacter = `[^\\x{0}-${hex(codePointMax)}]`

/** LineTerminator (ECMA-262, 12.3); RE2's dot excludes only the first of them. */
export const lineTerminators: readonly Range[] = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]] // prettier-ignore
/** WhiteSpace and LineTerminator (ECMA-262, 12.2 and 12.3); RE2's `\s` is only ASCII, without `\v`. */
export const whiteSpace: readonly Range[] = [
  [0x09, 0x0d], [0x20, 0x20], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f],
  [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff],
] // prettier-ignore

/** Last code point with a case. */
const lastCased = 0x1e943
/** Number of characters whose case folding takes as long as compiling one instruction. */
const foldedPerInstruction = 50

/** Code points, both ends included. */
export type Range = readonly [from: number, to: number]

/** Whether RE2 knows a Unicode property or script of this name. */
export function isProperty(name: string): boolean {
  if (name === '') return false
  try {
    RE2JS.compile(`\\p{${name}}`)
    return true
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return false
    throw error
  }
}

/** Returns a class of the ranges. */
export function classOf(ranges: readonly Range[], isNegated = false): string {
  return `[${isNegated ? '^' : ''}${ranges.map(rangeText).join('')}]`
}

/** Returns the cost of a class when case is ignored: RE2 then folds every character of a range while compiling, so
 *  wide ranges count more. */
export function foldingSize(ranges: readonly Range[]): number {
  const characters = ranges.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, lastCased) - from), 0)
  return Math.floor(characters / foldedPerInstruction)
}

/** Returns the code points outside of ascending ranges. */
export function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)]
  const ends = [...ranges.map(([from]) => from - 1), codePointMax]
  return starts.map((from, index) => [from, ends[index] ?? codePointMax])
}

/** Returns a range inside of a class. */
export function rangeText([from, to]: Range): string {
  return from === to ? hex(from) : `${hex(from)}-${hex(to)}`
}

/** Returns a character by its code point. */
export function hex(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`
}
