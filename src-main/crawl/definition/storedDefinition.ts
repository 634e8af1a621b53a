/** The definition that each run used. A definition may change during the life of a job; statements about a run refer to the
 *  definition it ran with. */
import type { Store } from '../../storage/storage.ts'
import { storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import { namesConnection, withNamedConnections } from '../connections/namedConnections.ts'
import { connectorsIn } from '../capture/connectors/registry.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { definitionStatements, type DefinitionVersionRow } from './definition.sql.ts'

/** Returns the definition of a job as the user last saved it, with what its connections say now. */
export function definitionIn(store: Store, job: number): HarvestDefinition {
  return storedDefinition.parse(JSON.parse(definitionText(store, job)))
}

/** Returns the definition of a job as JSON, with what its connections say now. Throws for a job that does not exist. */
export function definitionText(store: Store, job: number): string {
  const row = jobStatements(store).definition.get({ job })
  if (!row) throw new Error(`job ${job} has no definition`)
  if (!namesConnection(connectorsIn(row))) return row.definition
  return JSON.stringify(withNamedConnections(store, storedDefinition.parse(JSON.parse(row.definition))))
}

/** Returns the definition (JSON) of the run that is in progress or ended last; undefined for an import, which has none. */
export function ranWith(store: Store, job: number): string | undefined {
  return definitionStatements(store).lastDefinition.get({ job })?.definition
}

/** Lists all definitions in effect since the last run that has a metadata file, in order; the last one is `ranWith`. */
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
