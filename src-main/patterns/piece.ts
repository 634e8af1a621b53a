/** Parts of a pattern as they are assembled: their text in RE2's syntax, their size, and the literals that every match contains. */
import { literalsMax } from './limits.ts'
import { hex } from './re2Syntax.ts'

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
export interface Atom extends Piece {
  /** `character` is a single literal character; `noWidth` matches no characters and cannot be repeated; `wide` is
   *  anything else. */
  kind: 'character' | 'wide' | 'noWidth'
}

/** Flags that apply from where they are set to the end of their group. */
export interface Flags {
  ignoresCase: boolean
  dotMatchesAll: boolean
}

/** Determines the longest text, or set of alternative texts, that every match of a sequence contains. */
export class RequiredLiterals {
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
export function anyOf(branches: readonly Piece[]): readonly string[] | null {
  const all = new Set<string>()
  for (const { literals } of branches) {
    if (literals === null || all.size + literals.length > literalsMax) return null
    literals.forEach((each) => all.add(each))
  }
  return [...all]
}

/** An atom of one character. */
export function literal(codePoint: number): Atom {
  // Case folding outside of ASCII has its own rules: without a literal the pattern is only matched more often.
  const literals = codePoint < 0x80 ? [String.fromCodePoint(codePoint)] : null
  return { kind: 'character', source: hex(codePoint), size: 1, literals, repeats: 1 }
}

/** An atom that matches characters by a class. */
export function wide(source: string): Atom {
  return { kind: 'wide', source, size: 1, literals: null, repeats: 1 }
}

/** An atom that matches a position. */
export function noWidth(source: string): Atom {
  return { kind: 'noWidth', source, size: 1, literals: null, repeats: 1 }
}
