/** Changes the definition of an existing job. Answers at once from the database; the engine notices a change by
 *  `definition_version`: a run in progress finishes its segment and continues with the new definition, and the seeding loop
 *  reads new seeds. */
import { alternatives } from '../../contract/words/joined.ts'
import { jobLogOf } from '../model/jobLog.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { isDeepStrictEqual } from 'node:util'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { Fault, inField } from '../../contract/calls/faults.ts'
import { editIn, type Edit } from '../../contract/states/jobStates.ts'
import { jobStates } from '../../contract/states/states.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import { refuseAbsentOutputs } from '../../delivery/jobOutputs.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { withGivenConnections } from '../connections/namedConnections.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { jobStatements, type JobRow } from '../model/jobs.sql.ts'
import { scheduleStatements } from '../schedule/schedule.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'
import { definitionStatements } from './definition.sql.ts'
import { holdDefinition } from './heldDefinition.ts'
import { definitionIn } from './storedDefinition.ts'
import { changedParts, isFromBeginning, refusedInRun, listedParts } from './parts.ts'

/** Result of an edit. */
export interface Edited {
  job: number
  /** The parts that differ now; empty if nothing was changed. */
  changed: string[]
  /** `now`: the run in progress continues with the new definition. */
  holds: 'now' | 'nextRun'
}

/** Changes to the definitions of jobs. */
export interface Definitions {
  /** Replaces the definition of a job. Throws `Fault`: notFound, badInput for a seed that is not a URL of its source, refused for
   *  parts that cannot be changed now, with the reason. A connection that it names has to exist. */
  edit(job: number, definition: HarvestDefinition): Edited
}

/** Opens the definitions of all jobs. */
export function openDefinitions(store: Store, { clock }: Pick<World, 'clock'>): Definitions {
  const sql = definitionStatements(store)
  const jobs = jobStatements(store)
  const log = jobLogOf(store)
  const schedules = scheduleStatements(store)

  function editable(job: number): JobRow & { edit: Edit } {
    const row = jobs.one.get({ job })
    if (!row) throw new Fault('notFound', message('job.absent', { job }))
    if (row.kind !== 'event') throw new Fault('refused', message('job.import.noDefinition', { job }))
    const state = row.state
    const edit = editIn(state)
    if (edit === 'ending' || edit === 'deleting') {
      const status = jobStates.rows[state].badge
      throw new Fault('refused', message(`definition.${edit}`, { job, status }))
    }
    return { ...row, edit }
  }

  function setSchedule(row: JobRow, { schedule }: HarvestDefinition): boolean {
    const before = row.schedule === null ? undefined : scheduleOf(row.schedule)
    if (isDeepStrictEqual(before, schedule)) return false
    const stored = schedule === undefined ? null : JSON.stringify(schedule)
    schedules.setSchedule.run({ job: row.id, schedule: stored, nowMs: clock.now() })
    return true
  }

  return {
    edit: (job, given) =>
      store.transaction(() => {
        const row = editable(job)
        const { schedule, ...rest } = given
        refuseAbsentOutputs(store, rest)
        const after = withSeedAddresses(withGivenConnections(store, rest))
        const connector = repositoryOf(after)
        const before = definitionIn(store, job)
        if (row.edit === 'inRun') refuseFixed(job, refusedInRun(before, after))
        const changed = changedParts(before, after)
        const holds = row.state === jobStates.initial ? 'nextRun' : 'now'
        const isScheduleSet = setSchedule(row, given)
        if (changed.length > 0) {
          const definition = JSON.stringify(after)
          sql.setDefinition.run({ job, definition, name: after.name ?? connector.nameOf(after.seeds) })
          sql.countUp.run({ job, areSeedsChanged: changed.includes('seeds') ? 1 : 0 })
          if (isFromBeginning(changed)) sql.forgetSeeding.run({ job })
          holdDefinition(store, row, { definition, nowMs: clock.now() })
          const line = changedMessage(changed, row.edit, holds)
          log.add({ job, nowMs: clock.now(), level: 'info', message: line })
        }
        return { job, changed: [...changed, ...(isScheduleSet ? ['schedule'] : [])], holds }
      }),
  }
}

/** Returns the definition with its seeds as URLs of the source. Throws `Fault` badInput that names the first invalid seed or
 *  domain. */
export function withSeedAddresses<Definition extends HarvestDefinition>(definition: Definition): Definition {
  const connector = repositoryOf(definition)
  refuseOtherDomains(definition)
  return {
    ...definition,
    seeds: definition.seeds.map((seed, at) => inField(['seeds', at], () => connector.seedOf(seed))),
  }
}

/** Refuses names that are not registered domains: their rules would apply to no URL. */
function refuseOtherDomains({ domains = {} }: HarvestDefinition): void {
  for (const text of Object.keys(domains)) {
    const domain = registeredDomain(text.toLowerCase())
    if (domain === text) continue
    throw new Fault('badInput', message('definition.domain', { text, domain }), { fields: [['domains', text]] })
  }
}

function refuseFixed(job: number, { parts, fields }: ReturnType<typeof refusedInRun>): void {
  if (parts.length > 0)
    throw new Fault('refused', message('definition.fixed', { job, parts: alternatives(parts) }), { fields })
}

function changedMessage(changed: ReturnType<typeof changedParts>, edit: Edit, holds: Edited['holds']): Message {
  const parts = listedParts(changed)
  const isWhole = isFromBeginning(changed)
  if (holds === 'nextRun') return message(isWhole ? 'jobLog.definition.nextWhole' : 'jobLog.definition.next', { parts })
  return message(edit === 'inRun' && isWhole ? 'jobLog.definition.nowQueued' : 'jobLog.definition.now', { parts })
}
