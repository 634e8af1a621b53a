/** Selects files by a name pattern, which may match anywhere in the name. */
import { message } from '../../contract/words/message.ts'
import { matcherOf, portionsOf, readPattern } from '../../patterns/pattern.ts'
import { patternProblemMessage } from '../../contract/shapes/pattern.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from './archiveFault.ts'

/** Returns the rows whose names match. Yields to other work between batches of rows. */
export type NameMatcher = <Row extends { name: string }>(rows: readonly Row[]) => Promise<Row[]>

/** Creates the matcher. `written`: the pattern, null for all names. Throws `ArchiveFault` refused when it is not a valid pattern. */
export function nameMatcher({ clock }: Pick<World, 'clock'>, written: string | null): NameMatcher {
  if (written === null) return async (rows) => [...rows]
  const reading = readPattern(written)
  if ('problem' in reading) {
    throw new ArchiveFault(
      'refused',
      message('filePattern.refused', { pattern: written, problem: patternProblemMessage(reading.problem) }),
    )
  }
  const { pattern } = reading
  const matcher = matcherOf([pattern])
  return async (rows) => {
    const chosen: (typeof rows)[number][] = []
    let looked = 0
    for (const portion of portionsOf(rows, ({ name }) => pattern.size * name.length)) {
      if (looked > 0) await clock.sleep(0)
      looked += portion.length
      chosen.push(...portion.filter(({ name }) => matcher.first(name) !== undefined))
    }
    return chosen
  }
}
