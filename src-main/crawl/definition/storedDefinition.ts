/** What each run was told to do. A definition may be changed while the job lives; what is said of a run is said by what it ran
 *  with. */
import type { Store } from '../../storage/storage.ts'
import { definitionStatements, type DefinitionVersionRow } from './definition.sql.ts'

/** As text, of the run that is under way or was the last; undefined for an import, which is not defined by a person. */
export function ranWith(store: Store, job: number): string | undefined {
  return definitionStatements(store).lastDefinition.get({ job })?.definition
}

/** All that held since the last run that was written down, in their order: the last one is `ranWith`. */
export function definitionsSinceDescribed(store: Store, job: number): DefinitionVersionRow[] {
  const sql = definitionStatements(store)
  const described = sql.described.get({ job })?.run ?? 0
  const all = sql.held.all({ job })
  const since = all.filter(({ run }) => run > described)
  const [first] = since
  const isWhole = first?.run === described + 1 && first.fromMs === null
  const before = all.findLast(({ run }) => run <= described)
  return before === undefined || isWhole ? since : [before, ...since]
}
