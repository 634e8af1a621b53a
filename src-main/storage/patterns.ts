/** Regular expressions in statements: `text REGEXP @pattern`, and `class_of(@pattern, text)`. An expression that a person typed may
 *  never end, so only what runs in a thread of its own, with a time, uses them. */
import type Database from 'better-sqlite3'

export function offerPatterns(database: Database.Database): void {
  const known = new Map<string, RegExp>()
  const expressionOf = (pattern: unknown): RegExp => {
    const source = String(pattern)
    const expression = known.get(source) ?? new RegExp(source, 'u')
    known.set(source, expression)
    return expression
  }
  const options = { deterministic: true, directOnly: true }
  // `a REGEXP b` calls regexp(b, a).
  database.function('regexp', options, (pattern: unknown, text: unknown) =>
    typeof text === 'string' ? Number(expressionOf(pattern).test(text)) : null,
  )
  database.function('class_of', options, (pattern: unknown, text: unknown) =>
    typeof text === 'string' ? classOf(expressionOf(pattern), text) : null,
  )
}

/** What the first group matched; without a group what was matched at all; null for no match. */
export function classOf(expression: RegExp, text: string): string | null {
  const found = expression.exec(text)
  if (!found) return null
  return (found.length > 1 ? found[1] : found[0]) ?? ''
}
