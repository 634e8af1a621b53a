/** The definition of a job as users see it, and which of its fields a run in progress fixes. */
import { storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import type { FixedField } from '../../contract/services/jobDetails.ts'
import { editIn } from '../../contract/states/jobStates.ts'
import type { Store } from '../../storage/storage.ts'
import { outputOf } from '../capture/connectors/registry.ts'
import { fixedFields } from '../definition/parts.ts'
import { ranWith } from '../definition/storedDefinition.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'

/** Returns the definition with its schedule, which may change during the life of a job and is stored separately. */
export function definitionOf({ definition, schedule }: Pick<JobRow, 'definition' | 'schedule'>): HarvestDefinition {
  const stored = storedDefinition.parse(JSON.parse(definition))
  return schedule === null ? stored : { ...stored, schedule: scheduleOf(schedule) }
}

/** Returns the definition that the last run used; null if it is the current one, or if the job has not run. */
export function earlierDefinitionOf(store: Store, row: JobRow): HarvestDefinition | null {
  const definition = row.kind === 'event' ? ranWith(store, row.id) : undefined
  return definition === undefined || definition === row.definition ? null : definitionOf({ ...row, definition })
}

/** Lists the fields of the definition that cannot be changed now, because a run is in progress. */
export function fixedIn({ kind, state, definition }: JobRow): FixedField[] {
  if (kind !== 'event' || editIn(state) !== 'inRun') return []
  return fixedFields(storedDefinition.parse(JSON.parse(definition)))
}

/** Tells whether the last run archives what it fetches, by the definition that it used. A dry run does not. */
export function keepsFiles(store: Store, { id, definition }: Pick<JobRow, 'id' | 'definition'>): boolean {
  return outputOf(storedDefinition.parse(JSON.parse(ranWith(store, id) ?? definition))).keeps
}
