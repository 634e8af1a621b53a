/** Schedules that selective harvests share, by name. */
import { Fault } from '../../contract/calls/faults.ts'
import {
  harvestTiming,
  type HarvestScheduleInput,
  type HarvestScheduleRow,
  type HarvestTiming,
} from '../../contract/services/harvestSchedules.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { harvestScheduleStatements, type HarvestScheduleDbRow } from './harvestSchedules.sql.ts'
import { timingMessage } from './timingMessage.ts'
import { firstRunMs, plannedRuns } from './timing.ts'

/** The schedules of an archive. A call that names an unknown one throws `Fault` notFound. */
export interface HarvestSchedules {
  list(): HarvestScheduleRow[]
  show(name: string): HarvestScheduleRow
  /** Throws `Fault` badInput if the name is taken. */
  add(input: HarvestScheduleInput): HarvestScheduleRow
  /** Changes a schedule and plans the next run of the active harvests that use it. Throws `Fault` refused for a built-in one. */
  edit(name: string, input: HarvestScheduleInput): HarvestScheduleRow
  /** Throws `Fault` refused for a built-in schedule, and while a harvest uses it. */
  remove(name: string): void
  nextRuns(timing: HarvestTiming, count: number): string[]
}

/** Runs that are shown with a schedule. */
const nextCount = 5
/** Harvests that are named where a schedule is used. */
const namedMax = 5

/** Opens the schedules. */
export function openHarvestSchedules(store: Store, clock: Pick<Clock, 'now'>): HarvestSchedules {
  const sql = harvestScheduleStatements(store)
  const nextOf = (timing: HarvestTiming, count: number) =>
    plannedRuns(timing, clock.now(), count).map((ms) => new Date(ms).toISOString())

  function shown({
    id,
    name,
    comments,
    timing: stored,
    isBuiltIn,
    harvests,
  }: HarvestScheduleDbRow): HarvestScheduleRow {
    const timing = timingOf(stored)
    const names = sql.usersOf.all({ id, limit: namedMax }).map((row) => row.name)
    return {
      ...{ name, comments, timing, words: timingMessage(timing), isBuiltIn: isBuiltIn === 1 },
      ...{ harvests: { names, total: harvests }, next: nextOf(timing, nextCount) },
    }
  }

  function rowOf(name: string): HarvestScheduleDbRow {
    const row = sql.byName.get({ name })
    if (row) return row
    const names = sql.all.all({}).map((known) => known.name)
    throw new Fault('notFound', message('harvestSchedule.absent', { name, names: names.join(', ') }))
  }

  /** A schedule that users may change. */
  function ownRow(name: string): HarvestScheduleDbRow {
    const row = rowOf(name)
    if (row.isBuiltIn === 1) throw new Fault('refused', message('harvestSchedule.builtIn', { name: row.name }))
    return row
  }

  function refuseTaken(name: string, id?: number): void {
    const found = sql.byName.get({ name })
    if (found && found.id !== id)
      throw new Fault('badInput', message('harvestSchedule.exists', { name }), { fields: [['name']] })
  }

  return {
    list: () => sql.all.all({}).map(shown),
    show: (name) => shown(rowOf(name)),
    add: ({ timing, ...input }) =>
      store.transaction(() => {
        refuseTaken(input.name)
        sql.add.run({ ...input, timing: JSON.stringify(timing) })
        return shown(rowOf(input.name))
      }),
    edit: (name, { timing, ...input }) =>
      store.transaction(() => {
        const { id } = ownRow(name)
        refuseTaken(input.name, id)
        sql.edit.run({ id, ...input, timing: JSON.stringify(timing) })
        sql.plan.run({ id, nextMs: firstRunMs(timing, clock.now()) })
        return shown(rowOf(input.name))
      }),
    remove: (name) =>
      store.transaction(() => {
        const { id, harvests, ...row } = ownRow(name)
        if (harvests > 0) throw new Fault('refused', usedMessage(row.name, harvests, namesOf(id)))
        sql.remove.run({ id })
      }),
    nextRuns: nextOf,
  }

  function namesOf(id: number): string {
    return sql.usersOf
      .all({ id, limit: namedMax })
      .map(({ name }) => name)
      .join(', ')
  }
}

function usedMessage(name: string, count: number, names: string) {
  return message('harvestSchedule.used', { name, count, names })
}

/** Parses a stored timing, which was checked when it was stored. */
export function timingOf(stored: string): HarvestTiming {
  return harvestTiming.parse(JSON.parse(stored))
}
