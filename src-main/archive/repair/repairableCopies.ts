/** Lists the copies that need repair, in pages: those that are missing or bad by the last check, and those that were never stored. */
import type { World } from '../../world/world.ts'
import { findingsCountMax } from '../files/limits.ts'
import { nameMatcher } from '../files/matcher.ts'
import type { RepairableRow, RepairStatements } from './repair.sql.ts'

interface RepairableParts {
  statements: RepairStatements
  world: Pick<World, 'clock'>
}

/** Creates the lists. They are read from the catalogue; no copy is read. */
export function repairableCopies({ statements, world }: RepairableParts) {
  /** Pages of the copies in these replicas; a page that is not full is the last. */
  function* pages(names: readonly string[]): Generator<RepairableRow[], undefined> {
    const replicas = JSON.stringify(names)
    const lacking = JSON.stringify(statements.lacking.all({ replicas }).map(({ replica }) => replica))
    let after = { file: 0, turn: -1 }
    for (let isLast = false; !isLast;) {
      const page = statements.repairable.all({ replicas, lacking, limit: findingsCountMax, ...after })
      const { file, turn } = page.at(-1) ?? after
      after = { file, turn }
      isLast = page.length < findingsCountMax
      yield page.map(({ name, state, replica }) => ({ name, replica, state }))
    }
  }

  return {
    /** The first copies, at most `findingsCountMax`. */
    first: (replicas: readonly string[]): RepairableRow[] => pages(replicas).next().value ?? [],
    /** Searches all pages for names that match the pattern, up to `findingsCountMax` copies. Throws `ArchiveFault` when the pattern is
     *  invalid. */
    async named(replicas: readonly string[], pattern: string): Promise<RepairableRow[]> {
      const chosen = nameMatcher(world, pattern)
      const found: RepairableRow[] = []
      for (const page of pages(replicas)) {
        found.push(...(await chosen(page)))
        if (found.length >= findingsCountMax) break
      }
      return found.slice(0, findingsCountMax)
    },
  }
}
