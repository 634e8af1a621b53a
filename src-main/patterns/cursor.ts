/** A position in a pattern, with what the parsers do there: take characters, match an expression, reject the pattern. */
import type { PatternProblem, PatternProblemCode } from './problems.ts'

/** Thrown from any depth of the parser; caught by `readSyntax`. */
export class Refusal extends Error {
  readonly problem: PatternProblem
  constructor(problem: PatternProblem) {
    super(problem.code)
    this.problem = problem
  }
}

/** The pattern as entered, and how far it was parsed. */
export class Cursor {
  readonly written: string
  at = 0

  constructor(written: string) {
    this.written = written
  }

  /** Takes one character, whole when it needs two code units. */
  next(): string {
    const character = String.fromCodePoint(this.written.codePointAt(this.at) ?? 0)
    this.at += character.length
    return character
  }

  /** Takes this character if it comes next. */
  take(character: string): boolean {
    if (this.written.charAt(this.at) !== character) return false
    this.at += 1
    return true
  }

  /** Matches a sticky expression at the current position. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at
    const found = expression.exec(this.written)
    if (!found) return undefined
    this.at += found[0].length
    return found
  }

  /** Rejects the pattern because of the part from `from` to `to`. */
  refuse(code: PatternProblemCode, from: number, to = this.at): never {
    throw new Refusal({ code, part: this.written.slice(from, to) })
  }
}

/** Returns the code point of the first character; 0 for an empty string. */
export function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
