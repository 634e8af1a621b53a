/** Parses escapes and classes: what a pattern writes for one character or a set of characters. The constructs are those of ECMA-262, 22.2.1. */
import { codePointOf, type Cursor } from './cursor.ts'
import { literal, noWidth, wide, type Atom, type Flags } from './piece.ts'
import { anyCharacter, classOf, codePointMax, complement, foldingSize, isProperty, noCharacter, rangeText, whiteSpace, type Range } from './re2Syntax.ts' // prettier-ignore

/** Escapes of single characters. */
const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

/** Parses an escape outside of a class, from after its backslash. */
export function readEscape(cursor: Cursor, flags: Flags, from: number): Atom {
  if (cursor.match(/[bB]/y)) return noWidth(cursor.written.slice(from, cursor.at))
  if (cursor.match(/k|[1-9]\d*/y)) cursor.refuse('backreference', from)
  if (cursor.take('S')) return wide(classOf(whiteSpace, true))
  const set = readSetEscape(cursor, flags, from)
  if (set !== undefined) return wide(typeof set === 'string' ? set : classOf(set))
  return literal(readCharacterEscape(cursor, from))
}

/** Parses an escape of several characters, such as `\d`, into the form it has inside a class. */
function readSetEscape(cursor: Cursor, flags: Flags, from: number): string | readonly Range[] | undefined {
  if (cursor.match(/[dDwW]/y)) return cursor.written.slice(from, cursor.at)
  if (cursor.take('s')) return whiteSpace
  if (cursor.take('S')) return complement(whiteSpace)
  if (!cursor.match(/[pP]/y)) return undefined
  const isNegated = cursor.written.charAt(cursor.at - 1) === 'P'
  const [, name = ''] = cursor.match(/\{(?:(?:General_Category|gc|Script|sc)=)?(\w+)\}/y) ?? []
  if (!isProperty(name)) cursor.refuse('property', from)
  if (isNegated && flags.ignoresCase) cursor.refuse('negatedProperty', from)
  return `\\${isNegated ? 'P' : 'p'}{${name}}`
}

/** Parses an escape of one character and returns its code point. */
function readCharacterEscape(cursor: Cursor, from: number): number {
  if (cursor.at >= cursor.written.length) cursor.refuse('trailingBackslash', from)
  const [, control] = cursor.match(/([tnvfr])/y) ?? []
  if (control !== undefined) return controls[control] ?? 0
  if (cursor.match(/0(?!\d)/y)) return 0
  const [, letter] = cursor.match(/c([a-zA-Z])/y) ?? []
  if (letter !== undefined) return codePointOf(letter) % 32
  const [, lead = '', trail = ''] = cursor.match(/u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/iy) ?? []
  if (lead !== '') return codePointOf(String.fromCharCode(parseInt(lead, 16), parseInt(trail, 16)))
  const [, two, four, braced] = cursor.match(/x([0-9a-f]{2})|u([0-9a-f]{4})|u\{0*([0-9a-f]{1,6})\}/iy) ?? []
  const digits = two ?? four ?? braced
  if (digits !== undefined && parseInt(digits, 16) <= codePointMax) return parseInt(digits, 16)
  if (digits !== undefined || cursor.match(/[cxu]/y)) cursor.refuse('incompleteEscape', from)
  const [punctuation] = cursor.match(/[\x20-\x7e]/y) ?? []
  if (punctuation !== undefined && !/\w/.test(punctuation)) return codePointOf(punctuation)
  return punctuation === '_' ? codePointOf('_') : cursor.refuse('escape', from, from + 2)
}

/** Parses a class from after its opening bracket. */
export function readClass(cursor: Cursor, flags: Flags, from: number): Atom {
  const isNegated = cursor.take('^')
  const ranges: Range[] = []
  let sets = ''
  while (!cursor.take(']')) {
    if (cursor.at >= cursor.written.length) cursor.refuse('unclosedClass', from)
    const part = readClassPart(cursor, flags, from)
    if (typeof part === 'string') sets += part
    else ranges.push(...part)
  }
  if (ranges.length === 0 && sets === '') return wide(isNegated ? anyCharacter : noCharacter)
  const source = `[${isNegated ? '^' : ''}${ranges.map(rangeText).join('')}${sets}]`
  return { ...wide(source), size: 1 + (flags.ignoresCase ? foldingSize(ranges) : 0) }
}

/** Parses a character, a range, or a class within the class. */
function readClassPart(cursor: Cursor, flags: Flags, classFrom: number): string | readonly Range[] {
  const from = cursor.at
  if (cursor.match(/\[:\^?\w+:\]/y)) cursor.refuse('posixClass', from)
  const first = readClassAtom(cursor, flags)
  if (!cursor.match(/-(?!\])/y)) return typeof first === 'number' ? [[first, first]] : first
  if (cursor.at >= cursor.written.length) cursor.refuse('unclosedClass', classFrom)
  const last = readClassAtom(cursor, flags)
  if (typeof first !== 'number' || typeof last !== 'number') return cursor.refuse('rangeEnd', from)
  if (first > last) cursor.refuse('rangeOrder', from)
  return [[first, last]]
}

/** Parses one item of a class. A number is the code point of a character. */
function readClassAtom(cursor: Cursor, flags: Flags): string | readonly Range[] | number {
  const from = cursor.at
  const character = cursor.next()
  if (character !== '\\') return codePointOf(character)
  if (cursor.take('b')) return 0x08
  if (cursor.match(/k|[1-9]/y)) cursor.refuse('escape', from)
  return readSetEscape(cursor, flags, from) ?? readCharacterEscape(cursor, from)
}
