/** SQL functions for patterns: `text REGEXP @pattern`, and `class_of(@pattern, text)`. SQLite has the operator
 *  REGEXP but no function for it. Patterns have the syntax of `src-main/patterns`, so that a filter of a user
 *  takes time linear in the text. */
import type Database from 'better-sqlite3'
import { classifierOf, matcherOf, patternOf } from '../../patterns/pattern.ts'

/** Adds both functions to a connection. */
export function offerPatterns(database: Database.Database): void {
  const matcher = remembered((written) => matcherOf([patternOf(written)]))
  const classifier = remembered((written) => classifierOf(patternOf(written)))
  const options = { deterministic: true, directOnly: true }
  // `a REGEXP b` calls regexp(b, a).
  database.function('regexp', options, (pattern: unknown, text: unknown) =>
    typeof text === 'string' ? Number(matcher(String(pattern)).first(text) !== undefined) : null,
  )
  database.function('class_of', options, (pattern: unknown, text: unknown) =>
    typeof text === 'string' ? classifier(String(pattern))(text) : null,
  )
}

/** Caches compiled patterns for the life of a connection, which uses few patterns, each over many rows. */
function remembered<Made>(make: (written: string) => Made): (written: string) => Made {
  const known = new Map<string, Made>()
  return (written) => {
    const made = known.get(written) ?? make(written)
    known.set(written, made)
    return made
  }
}
