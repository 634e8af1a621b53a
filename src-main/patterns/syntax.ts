/** Parses the syntax of patterns: JavaScript's regular expressions with the flag `u`, except what cannot be matched
 *  in linear time, and with the inline flags `(?i)` and `(?s)`. It is translated to RE2's syntax, so that every part
 *  has the meaning of JavaScript where the two differ (`.`, `\s`, `\u…`, `[]`, names of properties). Matching is in
 *  pattern.ts.
 *
 *  A parser by recursive descent: each function parses one construct of the grammar of ECMA-262, 22.2.1, at the
 *  position of the cursor, and returns it in RE2's syntax. Escapes and classes are in characters.ts. */
import { readClass, readEscape } from './characters.ts'
import { codePointOf, Cursor, Refusal } from './cursor.ts'
import { patternDepthMax, patternRepeatsMax, patternInstructionsMax } from './limits.ts'
import { anyOf, literal, noWidth, RequiredLiterals, wide, type Atom, type Flags, type Piece } from './piece.ts'
import type { PatternProblem } from './problems.ts'
import { anyCharacter, classOf, lineTerminators } from './re2Syntax.ts'

/** Translates a pattern, or returns why it is rejected. */
export function readSyntax(written: string, flags: Flags): { piece: Piece } | { problem: PatternProblem } {
  try {
    const cursor = new Cursor(written)
    const piece = readAlternatives(cursor, { ...flags }, 0)
    if (cursor.at < written.length) cursor.refuse('unopenedGroup', cursor.at, cursor.at + 1)
    if (piece.size > patternInstructionsMax) throw new Refusal({ code: 'tooLarge', part: '' })
    return { piece: { ...piece, source: `${flags.ignoresCase ? '(?i)' : ''}${piece.source}` } }
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem }
    throw error
  }
}

function readAlternatives(cursor: Cursor, flags: Flags, depth: number): Piece {
  const branches = [readSequence(cursor, flags, depth)]
  while (cursor.take('|')) branches.push(readSequence(cursor, flags, depth))
  return {
    source: branches.map(({ source }) => source).join('|'),
    size: branches.reduce((sum, { size }) => sum + size + 1, -1),
    literals: anyOf(branches),
    repeats: Math.max(...branches.map(({ repeats }) => repeats)),
  }
}

/** Parses terms up to `|`, `)` or the end. */
function readSequence(cursor: Cursor, flags: Flags, depth: number): Piece {
  const literals = new RequiredLiterals()
  let [source, size, repeats] = ['', 0, 1]
  while (cursor.at < cursor.written.length && !'|)'.includes(cursor.written.charAt(cursor.at))) {
    const from = cursor.at
    const atom = readAtom(cursor, flags, depth)
    const quantified = readQuantified(cursor, atom, from)
    source += quantified.source
    size += quantified.size
    repeats = Math.max(repeats, quantified.repeats)
    literals.add(atom, quantified.min)
  }
  return { source, size, repeats, literals: literals.best() }
}

/** Parses the quantifier after an atom, if there is one. `from` is the start of the atom. */
function readQuantified(cursor: Cursor, atom: Atom, from: number): Piece & { min: number | undefined } {
  const begin = cursor.at
  const counts = readCounts(cursor)
  if (!counts) return { ...atom, min: undefined }
  if (atom.kind === 'noWidth') cursor.refuse('nothingToRepeat', begin, cursor.at)
  const { min, max } = counts
  // As in RE2: a repetition without upper bound counts with its minimum.
  const times = counts.isCounted ? Math.max(1, max ?? min) : 1
  const repeats = atom.repeats * times
  if (Math.max(min, max ?? 0) > patternRepeatsMax || repeats > patternRepeatsMax)
    cursor.refuse('tooManyRepeats', from, cursor.at)
  if (max !== undefined && min > max) cursor.refuse('quantifierOrder', begin, cursor.at)
  const sign = cursor.written.slice(begin, cursor.at)
  const lazy = cursor.take('?') ? '?' : ''
  const after = cursor.at
  if (readCounts(cursor)) cursor.refuse('possessive', from, cursor.at)
  cursor.at = after
  return { ...atom, source: `${atom.source}${sign}${lazy}`, size: atom.size * times + times, repeats, min }
}

/** Takes a quantifier without its laziness. Returns undefined when there is none. */
function readCounts(cursor: Cursor): { min: number; max: number | undefined; isCounted: boolean } | undefined {
  if (cursor.take('*')) return { min: 0, max: undefined, isCounted: false }
  if (cursor.take('+')) return { min: 1, max: undefined, isCounted: false }
  if (cursor.take('?')) return { min: 0, max: 1, isCounted: false }
  const [all, least, comma, most] = cursor.match(/\{(\d+)(?:(,)(\d*))?\}/y) ?? []
  if (all === undefined) return undefined
  const min = Number(least)
  return { min, max: comma === undefined ? min : most === '' ? undefined : Number(most), isCounted: true }
}

/** Parses one atom without its quantifier. */
function readAtom(cursor: Cursor, flags: Flags, depth: number): Atom {
  const from = cursor.at
  const character = cursor.next()
  switch (character) {
    case '(':
      return readGroup(cursor, flags, depth, from)
    case '[':
      return readClass(cursor, flags, from)
    case '.':
      return wide(flags.dotMatchesAll ? anyCharacter : classOf(lineTerminators, true))
    case '^':
    case '$':
      return noWidth(character)
    case '\\':
      return readEscape(cursor, flags, from)
    case '*':
    case '+':
    case '?':
      return cursor.refuse('nothingToRepeat', from)
    case '{':
      cursor.at = from
      if (readCounts(cursor)) cursor.refuse('nothingToRepeat', from)
      return cursor.refuse('brace', from, from + 1)
    case '}':
      return cursor.refuse('brace', from)
    case ']':
      return cursor.refuse('unopenedClass', from)
    default:
      return literal(codePointOf(character))
  }
}

/** Parses a group from after its opening parenthesis. */
function readGroup(cursor: Cursor, flags: Flags, depth: number, from: number): Atom {
  if (depth >= patternDepthMax) cursor.refuse('tooDeep', from, from)
  if (!cursor.take('?')) return readGrouped(cursor, '(', flags, depth, from)
  if (cursor.take(':')) return readGrouped(cursor, '(?:', flags, depth, from)
  if (cursor.match(/[=!]/y)) cursor.refuse('lookahead', from)
  if (cursor.match(/<[=!]/y)) cursor.refuse('lookbehind', from)
  if (cursor.match(/P?</y)) {
    if (!cursor.match(/[\p{L}_$][\p{L}\p{N}_$]*>/uy)) cursor.refuse('groupName', from)
    // Group names are not used.
    return readGrouped(cursor, '(', flags, depth, from)
  }
  if (cursor.take('>')) cursor.refuse('atomicGroup', from)
  if (cursor.take('#')) cursor.refuse('comment', from)
  if (cursor.match(/P=/y)) cursor.refuse('backreference', from)
  return readFlagGroup(cursor, flags, depth, from)
}

/** Parses flags: `(?i)` applies to the rest of the enclosing group, `(?i:…)` to its content. */
function readFlagGroup(cursor: Cursor, flags: Flags, depth: number, from: number): Atom {
  const [, on = '', minus, off = '', end] = cursor.match(/([a-zA-Z]*)(-([a-zA-Z]*))?([:)])/y) ?? []
  if (end === undefined || (on === '' && off === '')) return cursor.refuse('group', from, from + 3)
  if (/[^is]/.test(on + off)) cursor.refuse('flag', from)
  const changed = {
    ignoresCase: (flags.ignoresCase || on.includes('i')) && !off.includes('i'),
    dotMatchesAll: (flags.dotMatchesAll || on.includes('s')) && !off.includes('s'),
  }
  const sign = `?${on.includes('i') ? 'i' : ''}${minus !== undefined && off.includes('i') ? '-i' : ''}`
  if (end === ':') return readGrouped(cursor, `(${sign}:`, changed, depth, from)
  Object.assign(flags, changed)
  return noWidth(sign === '?' ? '' : `(${sign})`)
}

/** Parses a group from after its opening to its closing parenthesis. */
function readGrouped(cursor: Cursor, opening: string, flags: Flags, depth: number, from: number): Atom {
  const inner = readAlternatives(cursor, { ...flags }, depth + 1)
  if (!cursor.take(')')) cursor.refuse('unclosedGroup', from, cursor.written.length)
  return { ...inner, kind: 'wide', source: `${opening}${inner.source})`, size: inner.size + 2 }
}
