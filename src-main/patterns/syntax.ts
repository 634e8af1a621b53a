/** Parses the syntax of patterns: JavaScript's regular expressions with the flag `u`, except what cannot be matched
 *  in linear time, and with the inline flags `(?i)` and `(?s)`. It is translated to RE2's syntax, so that every part
 *  has the meaning of JavaScript where the two differ (`.`, `\s`, `\u…`, `[]`, names of properties). Matching is in
 *  pattern.ts. */
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { literalsMax, patternDepthMax, patternRepeatsMax, patternInstructionsMax } from './limits.ts'
import type { PatternProblem, PatternProblemCode } from './problems.ts'

/** Properties of a part of a pattern. */
export interface Piece {
  /** The part in RE2's syntax. */
  source: string
  /** Approximate number of instructions that it compiles to. */
  size: number
  /** Every match contains one of these, ignoring case; null when nothing is known. */
  literals: readonly string[] | null
  /** How often the innermost part is repeated by counted repetitions in total. */
  repeats: number
}

/** The smallest part that a quantifier applies to. */
interface Atom extends Piece {
  /** `character` is a single literal character; `noWidth` matches no characters and cannot be repeated; `wide` is
   *  anything else. */
  kind: 'character' | 'wide' | 'noWidth'
}

/** Flags that apply from where they are set to the end of their group. */
interface Flags {
  ignoresCase: boolean
  dotMatchesAll: boolean
}

/** Thrown from any depth of the parser; caught by `readSyntax`. */
class Refusal extends Error {
  readonly problem: PatternProblem
  constructor(problem: PatternProblem) {
    super(problem.code)
    this.problem = problem
  }
}

/** Translates a pattern, or returns why it is rejected. */
export function readSyntax(written: string, flags: Flags): { piece: Piece } | { problem: PatternProblem } {
  try {
    const piece = new Reader(written).whole(flags)
    if (piece.size > patternInstructionsMax) throw new Refusal({ code: 'tooLarge', part: '' })
    return { piece: { ...piece, source: `${flags.ignoresCase ? '(?i)' : ''}${piece.source}` } }
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem }
    throw error
  }
}

/** Largest code point of Unicode. */
const codePointMax = 0x10ffff
/** A class that matches every character, and one that matches none. */
const anyCharacter = `[\\x{0}-${hex(codePointMax)}]`
const noCharacter = `[^\\x{0}-${hex(codePointMax)}]`

/** LineTerminator (ECMA-262, 12.3); RE2's dot excludes only the first of them. */
const lineTerminators: readonly Range[] = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]] // prettier-ignore
/** WhiteSpace and LineTerminator (ECMA-262, 12.2 and 12.3); RE2's `\s` is only ASCII, without `\v`. */
const whiteSpace: readonly Range[] = [
  [0x09, 0x0d], [0x20, 0x20], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f],
  [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff],
] // prettier-ignore

/** Last code point with a case. */
const lastCased = 0x1e943
/** Number of characters whose case folding takes as long as compiling one instruction. */
const foldedPerInstruction = 50

/** Code points, both ends included. */
type Range = readonly [from: number, to: number]

/** Escapes of single characters. */
const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

/** A parser by recursive descent over `#written`, whose position is `#at`. Each method takes one construct of the
 *  grammar of ECMA-262, 22.2.1, and returns it in RE2's syntax. */
class Reader {
  readonly #written: string
  #at = 0

  constructor(written: string) {
    this.#written = written
  }

  /** Parses the whole pattern. */
  whole(flags: Flags): Piece {
    const piece = this.#alternatives({ ...flags }, 0)
    if (this.#at < this.#written.length) this.#refuse('unopenedGroup', this.#at, this.#at + 1)
    return piece
  }

  #alternatives(flags: Flags, depth: number): Piece {
    const branches = [this.#sequence(flags, depth)]
    while (this.#take('|')) branches.push(this.#sequence(flags, depth))
    return {
      source: branches.map(({ source }) => source).join('|'),
      size: branches.reduce((sum, { size }) => sum + size + 1, -1),
      literals: anyOf(branches),
      repeats: Math.max(...branches.map(({ repeats }) => repeats)),
    }
  }

  /** Parses terms up to `|`, `)` or the end. */
  #sequence(flags: Flags, depth: number): Piece {
    const literals = new RequiredLiterals()
    let [source, size, repeats] = ['', 0, 1]
    while (this.#at < this.#written.length && !'|)'.includes(this.#written.charAt(this.#at))) {
      const from = this.#at
      const atom = this.#atom(flags, depth)
      const quantified = this.#quantified(atom, from)
      source += quantified.source
      size += quantified.size
      repeats = Math.max(repeats, quantified.repeats)
      literals.add(atom, quantified.min)
    }
    return { source, size, repeats, literals: literals.best() }
  }

  /** Parses the quantifier after an atom, if there is one. `from` is the start of the atom. */
  #quantified(atom: Atom, from: number): Piece & { min: number | undefined } {
    const begin = this.#at
    const counts = this.#counts()
    if (!counts) return { ...atom, min: undefined }
    if (atom.kind === 'noWidth') this.#refuse('nothingToRepeat', begin, this.#at)
    const { min, max } = counts
    // As in RE2: a repetition without upper bound counts with its minimum.
    const times = counts.isCounted ? Math.max(1, max ?? min) : 1
    const repeats = atom.repeats * times
    if (Math.max(min, max ?? 0) > patternRepeatsMax || repeats > patternRepeatsMax)
      this.#refuse('tooManyRepeats', from, this.#at)
    if (max !== undefined && min > max) this.#refuse('quantifierOrder', begin, this.#at)
    const sign = this.#written.slice(begin, this.#at)
    const lazy = this.#take('?') ? '?' : ''
    const after = this.#at
    if (this.#counts()) this.#refuse('possessive', from, this.#at)
    this.#at = after
    return { ...atom, source: `${atom.source}${sign}${lazy}`, size: atom.size * times + times, repeats, min }
  }

  /** Takes a quantifier without its laziness. Returns undefined when there is none. */
  #counts(): { min: number; max: number | undefined; isCounted: boolean } | undefined {
    if (this.#take('*')) return { min: 0, max: undefined, isCounted: false }
    if (this.#take('+')) return { min: 1, max: undefined, isCounted: false }
    if (this.#take('?')) return { min: 0, max: 1, isCounted: false }
    const [all, least, comma, most] = this.#match(/\{(\d+)(?:(,)(\d*))?\}/y) ?? []
    if (all === undefined) return undefined
    const min = Number(least)
    return { min, max: comma === undefined ? min : most === '' ? undefined : Number(most), isCounted: true }
  }

  /** Parses one atom without its quantifier. */
  #atom(flags: Flags, depth: number): Atom {
    const from = this.#at
    const character = this.#next()
    switch (character) {
      case '(':
        return this.#group(flags, depth, from)
      case '[':
        return this.#class(flags, from)
      case '.':
        return wide(flags.dotMatchesAll ? anyCharacter : classOf(lineTerminators, true))
      case '^':
      case '$':
        return noWidth(character)
      case '\\':
        return this.#escape(flags, from)
      case '*':
      case '+':
      case '?':
        return this.#refuse('nothingToRepeat', from)
      case '{':
        this.#at = from
        if (this.#counts()) this.#refuse('nothingToRepeat', from)
        return this.#refuse('brace', from, from + 1)
      case '}':
        return this.#refuse('brace', from)
      case ']':
        return this.#refuse('unopenedClass', from)
      default:
        return literal(codePointOf(character))
    }
  }

  /** Parses a group from after its opening parenthesis. */
  #group(flags: Flags, depth: number, from: number): Atom {
    if (depth >= patternDepthMax) this.#refuse('tooDeep', from, from)
    if (!this.#take('?')) return this.#grouped('(', flags, depth, from)
    if (this.#take(':')) return this.#grouped('(?:', flags, depth, from)
    if (this.#match(/[=!]/y)) this.#refuse('lookahead', from)
    if (this.#match(/<[=!]/y)) this.#refuse('lookbehind', from)
    if (this.#match(/P?</y)) {
      if (!this.#match(/[\p{L}_$][\p{L}\p{N}_$]*>/uy)) this.#refuse('groupName', from)
      // Group names are not used.
      return this.#grouped('(', flags, depth, from)
    }
    if (this.#take('>')) this.#refuse('atomicGroup', from)
    if (this.#take('#')) this.#refuse('comment', from)
    if (this.#match(/P=/y)) this.#refuse('backreference', from)
    return this.#flagGroup(flags, depth, from)
  }

  /** Parses flags: `(?i)` applies to the rest of the enclosing group, `(?i:…)` to its content. */
  #flagGroup(flags: Flags, depth: number, from: number): Atom {
    const [, on = '', minus, off = '', end] = this.#match(/([a-zA-Z]*)(-([a-zA-Z]*))?([:)])/y) ?? []
    if (end === undefined || (on === '' && off === '')) return this.#refuse('group', from, from + 3)
    if (/[^is]/.test(on + off)) this.#refuse('flag', from)
    const changed = {
      ignoresCase: (flags.ignoresCase || on.includes('i')) && !off.includes('i'),
      dotMatchesAll: (flags.dotMatchesAll || on.includes('s')) && !off.includes('s'),
    }
    const sign = `?${on.includes('i') ? 'i' : ''}${minus !== undefined && off.includes('i') ? '-i' : ''}`
    if (end === ':') return this.#grouped(`(${sign}:`, changed, depth, from)
    Object.assign(flags, changed)
    return noWidth(sign === '?' ? '' : `(${sign})`)
  }

  /** Parses a group from after its opening to its closing parenthesis. */
  #grouped(opening: string, flags: Flags, depth: number, from: number): Atom {
    const inner = this.#alternatives({ ...flags }, depth + 1)
    if (!this.#take(')')) this.#refuse('unclosedGroup', from, this.#written.length)
    return { ...inner, kind: 'wide', source: `${opening}${inner.source})`, size: inner.size + 2 }
  }

  /** Parses an escape outside of a class, from after its backslash. */
  #escape(flags: Flags, from: number): Atom {
    if (this.#match(/[bB]/y)) return noWidth(this.#written.slice(from, this.#at))
    if (this.#match(/k|[1-9]\d*/y)) this.#refuse('backreference', from)
    if (this.#take('S')) return wide(classOf(whiteSpace, true))
    const set = this.#setEscape(flags, from)
    if (set !== undefined) return wide(typeof set === 'string' ? set : classOf(set))
    return literal(this.#characterEscape(from))
  }

  /** Parses an escape of several characters, such as `\d`, into the form it has inside a class. */
  #setEscape(flags: Flags, from: number): string | readonly Range[] | undefined {
    if (this.#match(/[dDwW]/y)) return this.#written.slice(from, this.#at)
    if (this.#take('s')) return whiteSpace
    if (this.#take('S')) return complement(whiteSpace)
    if (!this.#match(/[pP]/y)) return undefined
    const isNegated = this.#written.charAt(this.#at - 1) === 'P'
    const [, name = ''] = this.#match(/\{(?:(?:General_Category|gc|Script|sc)=)?(\w+)\}/y) ?? []
    if (!isProperty(name)) this.#refuse('property', from)
    if (isNegated && flags.ignoresCase) this.#refuse('negatedProperty', from)
    return `\\${isNegated ? 'P' : 'p'}{${name}}`
  }

  /** Parses an escape of one character and returns its code point. */
  #characterEscape(from: number): number {
    if (this.#at >= this.#written.length) this.#refuse('trailingBackslash', from)
    const [, control] = this.#match(/([tnvfr])/y) ?? []
    if (control !== undefined) return controls[control] ?? 0
    if (this.#match(/0(?!\d)/y)) return 0
    const [, letter] = this.#match(/c([a-zA-Z])/y) ?? []
    if (letter !== undefined) return codePointOf(letter) % 32
    const [, lead = '', trail = ''] = this.#match(/u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/iy) ?? []
    if (lead !== '') return codePointOf(String.fromCharCode(parseInt(lead, 16), parseInt(trail, 16)))
    const [, two, four, braced] = this.#match(/x([0-9a-f]{2})|u([0-9a-f]{4})|u\{0*([0-9a-f]{1,6})\}/iy) ?? []
    const digits = two ?? four ?? braced
    if (digits !== undefined && parseInt(digits, 16) <= codePointMax) return parseInt(digits, 16)
    if (digits !== undefined || this.#match(/[cxu]/y)) this.#refuse('incompleteEscape', from)
    const [punctuation] = this.#match(/[\x20-\x7e]/y) ?? []
    if (punctuation !== undefined && !/\w/.test(punctuation)) return codePointOf(punctuation)
    return punctuation === '_' ? codePointOf('_') : this.#refuse('escape', from, from + 2)
  }

  /** Parses a class from after its opening bracket. */
  #class(flags: Flags, from: number): Atom {
    const isNegated = this.#take('^')
    const ranges: Range[] = []
    let sets = ''
    while (!this.#take(']')) {
      if (this.#at >= this.#written.length) this.#refuse('unclosedClass', from)
      const part = this.#classPart(flags, from)
      if (typeof part === 'string') sets += part
      else ranges.push(...part)
    }
    if (ranges.length === 0 && sets === '') return wide(isNegated ? anyCharacter : noCharacter)
    const source = `[${isNegated ? '^' : ''}${ranges.map(rangeText).join('')}${sets}]`
    return { ...wide(source), size: 1 + (flags.ignoresCase ? foldingSize(ranges) : 0) }
  }

  /** Parses a character, a range, or a class within the class. */
  #classPart(flags: Flags, classFrom: number): string | readonly Range[] {
    const from = this.#at
    if (this.#match(/\[:\^?\w+:\]/y)) this.#refuse('posixClass', from)
    const first = this.#classAtom(flags)
    if (!this.#match(/-(?!\])/y)) return typeof first === 'number' ? [[first, first]] : first
    if (this.#at >= this.#written.length) this.#refuse('unclosedClass', classFrom)
    const last = this.#classAtom(flags)
    if (typeof first !== 'number' || typeof last !== 'number') return this.#refuse('rangeEnd', from)
    if (first > last) this.#refuse('rangeOrder', from)
    return [[first, last]]
  }

  /** Parses one item of a class. A number is the code point of a character. */
  #classAtom(flags: Flags): string | readonly Range[] | number {
    const from = this.#at
    const character = this.#next()
    if (character !== '\\') return codePointOf(character)
    if (this.#take('b')) return 0x08
    if (this.#match(/k|[1-9]/y)) this.#refuse('escape', from)
    return this.#setEscape(flags, from) ?? this.#characterEscape(from)
  }

  #next(): string {
    const character = String.fromCodePoint(this.#written.codePointAt(this.#at) ?? 0)
    this.#at += character.length
    return character
  }

  #take(character: string): boolean {
    if (this.#written.charAt(this.#at) !== character) return false
    this.#at += 1
    return true
  }

  /** Matches a sticky expression at the current position. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#written)
    if (!found) return undefined
    this.#at += found[0].length
    return found
  }

  /** Rejects the pattern because of the part from `from` to `to`. */
  #refuse(code: PatternProblemCode, from: number, to = this.#at): never {
    throw new Refusal({ code, part: this.#written.slice(from, to) })
  }
}

/** Determines the longest text, or set of alternative texts, that every match of a sequence contains. */
class RequiredLiterals {
  #run = ''
  #best: readonly string[] | null = null

  /** Adds the next atom. `min` is the minimum number of repetitions; undefined without a quantifier. */
  add({ kind, literals }: Atom, min: number | undefined): void {
    if (kind === 'character' && literals && min !== 0) this.#run += literals.join('')
    if (kind === 'character' && literals && min === undefined) return
    // After a repeated or optional character, the next one need not follow directly.
    this.#end()
    if (kind === 'wide' && min !== 0) this.#best = better(this.#best, literals)
  }

  best(): readonly string[] | null {
    this.#end()
    return this.#best
  }

  #end(): void {
    if (this.#run !== '') this.#best = better(this.#best, [this.#run])
    this.#run = ''
  }
}

/** Returns the literals that occur less often, judged by the shortest of each set. */
function better(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other
  return shortest(other) > shortest(one) ? other : one
}

function shortest(literals: readonly string[]): number {
  return Math.min(...literals.map((each) => each.length))
}

/** Returns a set of literals such that every match of any branch contains at least one of them; null when a branch has
 *  no literals, or there are more than `literalsMax`. */
function anyOf(branches: readonly Piece[]): readonly string[] | null {
  const all = new Set<string>()
  for (const { literals } of branches) {
    if (literals === null || all.size + literals.length > literalsMax) return null
    literals.forEach((each) => all.add(each))
  }
  return [...all]
}

function literal(codePoint: number): Atom {
  // Case folding outside of ASCII has its own rules: without a literal the pattern is only matched more often.
  const literals = codePoint < 0x80 ? [String.fromCodePoint(codePoint)] : null
  return { kind: 'character', source: hex(codePoint), size: 1, literals, repeats: 1 }
}

function wide(source: string): Atom {
  return { kind: 'wide', source, size: 1, literals: null, repeats: 1 }
}

function noWidth(source: string): Atom {
  return { kind: 'noWidth', source, size: 1, literals: null, repeats: 1 }
}

/** Whether RE2 knows a Unicode property or script of this name. */
function isProperty(name: string): boolean {
  if (name === '') return false
  try {
    RE2JS.compile(`\\p{${name}}`)
    return true
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return false
    throw error
  }
}

function classOf(ranges: readonly Range[], isNegated = false): string {
  return `[${isNegated ? '^' : ''}${ranges.map(rangeText).join('')}]`
}

/** Returns the cost of a class when case is ignored: RE2 then folds every character of a range while compiling, so
 *  wide ranges count more. */
function foldingSize(ranges: readonly Range[]): number {
  const characters = ranges.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, lastCased) - from), 0)
  return Math.floor(characters / foldedPerInstruction)
}

/** Returns the code points outside of ascending ranges. */
function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)]
  const ends = [...ranges.map(([from]) => from - 1), codePointMax]
  return starts.map((from, index) => [from, ends[index] ?? codePointMax])
}

function rangeText([from, to]: Range): string {
  return from === to ? hex(from) : `${hex(from)}-${hex(to)}`
}

function hex(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
