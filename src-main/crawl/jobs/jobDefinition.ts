/** The definition of a job as users see it, and which of its fields a run in progress fixes. */
import { storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import type { FixedField } from '../../contract/services/jobDetails.ts'
import { editIn } from '../../contract/states/jobStates.ts'
import type { Store } from '../../storage/storage.ts'
import { outputOf } from '../capture/connectors/registry.ts'
import { connectorsIn } from '../capture/connectors/registry.ts'
import { definitionStatements } from '../definition/definition.sql.ts'
import { fixedFields } from '../definition/parts.ts'
import { definitionText, ranWith } from '../definition/storedDefinition.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'

/** The definitions of a job, each with its schedule, which may change during the life of a job and is stored separately. */
interface JobDefinitions {
  definition: HarvestDefinition
  /** The definition that the last run used; null if it is the current one, or if the job has not run. */
  ranWith: HarvestDefinition | null
}

/** Returns a function that reads the definitions of a job. It keeps the last ones: parsing 100,000 seeds takes a tenth of a second,
 *  and the page of a running job is requested several times per second. */
export function definitionReader(store: Store): (row: JobRow) => JobDefinitions {
  let last: { version: string; definitions: JobDefinitions } | undefined
  return (row) => {
    // The seeds of an import change without a new version; they are few.
    if (row.kind !== 'event') return definitionsOf(store, row)
    const version = [row.id, row.createdMs, row.definitionVersion, row.run, row.schedule].join(' ')
    if (last?.version !== version) last = { version, definitions: definitionsOf(store, row) }
    return last.definitions
  }
}

function definitionsOf(store: Store, { id, kind, schedule }: JobRow): JobDefinitions {
  const current = definitionText(store, id)
  const earlier = kind === 'event' ? ranWith(store, id) : undefined
  const parsed = (definition: string): HarvestDefinition => {
    const stored = storedDefinition.parse(JSON.parse(definition))
    return schedule === null ? stored : { ...stored, schedule: scheduleOf(schedule) }
  }
  return {
    definition: parsed(current),
    ranWith: earlier === undefined || earlier === current ? null : parsed(earlier),
  }
}

/** Lists the fields of the definition that cannot be changed now, because a run is in progress. */
export function fixedIn({ kind, state }: JobRow, definition: HarvestDefinition): FixedField[] {
  return kind === 'event' && editIn(state) === 'inRun' ? fixedFields(definition) : []
}

/** Tells whether the last run archives what it fetches, by the definition that it used. A dry run does not. */
export function keepsFiles(store: Store, row: Pick<JobRow, 'id' | 'connectors'>): boolean {
  const last = definitionStatements(store).lastOutput.get({ job: row.id })?.output
  const current = connectorsIn(row)
  return outputOf({ connectors: { ...current, output: last ?? current.output } }).keeps
}
