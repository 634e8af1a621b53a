/** What a user gives a harvest, checked against the archive and turned into columns. */
import { Fault, type FieldPath } from '../../contract/calls/faults.ts'
import type { HarvestInput } from '../../contract/services/harvestDefinitions.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { harvestScheduleStatements } from '../calendar/harvestSchedules.sql.ts'
import { openExtendedFields } from '../domains/institution.ts'
import { usualChannelOf } from '../model/channels.ts'
import { harvestReadStatements, type HarvestColumns } from './harvestDefinitions.sql.ts'

/** Returns the columns of a harvest. `id` is its number when it exists already. Throws `Fault` badInput, naming the field. */
export function columnsOf(store: Store, input: HarvestInput, id?: number): HarvestColumns {
  const { name, kind, comments, audience, objectsMax, bytesMax, secondsMax, priority, fields } = input
  const taken = harvestReadStatements(store).idOf.get({ name })
  if (taken && taken.id !== id) refuse(['name'], message('harvest.exists', { name }))
  if (kind === 'snapshot' && input.configurations.length > 0)
    refuse(['configurations'], message('harvest.configurationsUnused'))
  return {
    ...{ name, kind, comments, audience, objectsMax, bytesMax, secondsMax, priority },
    scheduleId: scheduleIdOf(store, input),
    previousId: previousIdOf(store, input, id),
    channel: input.channel ?? usualChannelOf(kind),
    fields: JSON.stringify(openExtendedFields(store).checked('harvest', fields)),
  }
}

function scheduleIdOf(store: Store, { kind, schedule }: HarvestInput): number | null {
  if (kind !== 'selective') return schedule === null ? null : refuse(['schedule'], message('harvest.scheduleUnused'))
  if (schedule === null) return refuse(['schedule'], message('harvest.noSchedule'))
  const sql = harvestScheduleStatements(store)
  const names = () =>
    sql.all
      .all({})
      .map(({ name }) => name)
      .join(', ')
  return (
    sql.byName.get({ name: schedule })?.id ??
    refuse(['schedule'], message('harvestSchedule.absent', { name: schedule, names: names() }))
  )
}

function previousIdOf(store: Store, { kind, previous }: HarvestInput, id: number | undefined): number | null {
  if (previous === null) return null
  if (kind !== 'snapshot') return refuse(['previous'], message('harvest.previousUnused'))
  const sql = harvestReadStatements(store)
  const found = sql.idOf.get({ name: previous })
  if (found?.kind !== 'snapshot') return refuse(['previous'], message('harvest.previousAbsent', { name: previous }))
  const isCircle = (at: number | null | undefined): boolean =>
    at !== null && at !== undefined && (at === id || isCircle(sql.byId.get({ id: at })?.previousId))
  return isCircle(found.id) ? refuse(['previous'], message('harvest.previousCircle')) : found.id
}

function refuse(field: FieldPath, reason: Message): never {
  throw new Fault('badInput', reason, { fields: [field] })
}
