/** Services `harvestDefinitions`, `harvestSchedules`, `generatedJobs` and `harvestStatistics` of the contract. */
import { emitter } from '../../contract/calls/emitter.ts'
import type { Loupe } from '../../contract/contract.ts'
import { harvestInput, type HarvestRow } from '../../contract/services/harvestDefinitions.ts'
import { harvestScheduleInput, harvestTiming } from '../../contract/services/harvestSchedules.ts'
import type { LatestRun } from '../../contract/services/harvestStatistics.ts'
import { message } from '../../contract/words/message.ts'
import type { GenerationReport, Harvests } from '../../harvest/harvest.ts'
import type { Notifications } from '../../notifications/notifications.ts'
import type { Signals } from '../signals/signals.ts'

type Services = Pick<Loupe, 'harvestDefinitions' | 'harvestSchedules' | 'generatedJobs' | 'harvestStatistics'>

/** The services, and where the floor reports what happens by itself. */
export interface HarvestServices {
  services: Services
  onGeneration(report: GenerationReport): void
  onCounted(counted: { job: number; definition: number | null }): void
}

/** Makes the services. `floor` is opened after its reports exist, so it is given by a function. */
export function harvestServices(
  floor: () => Harvests,
  signals: Signals,
  notifications: Pick<Notifications, 'report'>,
): HarvestServices {
  const changes = emitter<HarvestRow>()
  const scheduleChanges = emitter<Record<string, never>>()
  const counts = emitter<{ job: number; harvest: number | null }>()

  type Stored = ReturnType<Harvests['definitions']['show']>
  const whole = (row: Stored): HarvestRow => ({ ...row, isGenerating: floor().scheduler.isGenerating(row.harvest) })
  const changed = (row: Stored): HarvestRow => {
    const shown = whole(row)
    changes.emit(shown)
    return shown
  }
  /** Reports a job whose row has changed, and its harvest, which counts it. */
  const jobChanged = <Row extends { job: number; harvest: number }>(row: Row): Row => {
    signals.report({ kind: 'changed', job: row.job })
    changed(floor().definitions.show(row.harvest))
    return row
  }
  const scheduleChanged = <Value>(value: Value): Value => {
    scheduleChanges.emit({})
    return value
  }

  const services: Services = {
    harvestDefinitions: {
      list: async (filter) => floor().definitions.list(filter).map(whole),
      show: async ({ harvest }) => whole(floor().definitions.show(harvest)),
      configurations: async ({ harvest, offset = 0, limit = 200 }) =>
        floor().definitions.configurations({ harvest, offset, limit }),
      add: async (input) => changed(floor().definitions.add(harvestInput.parse(input))),
      edit: async ({ harvest, definition }) =>
        changed(floor().definitions.edit(harvest, harvestInput.parse(definition))),
      async remove({ harvest }) {
        floor().definitions.remove(harvest)
        return {}
      },
      activate: async ({ harvest }) => changed(floor().definitions.activate(harvest)),
      deactivate: async ({ harvest }) => changed(floor().definitions.deactivate(harvest)),
      async run({ harvest }) {
        const { run, jobs } = await floor().scheduler.run(harvest)
        return { harvest, run, jobs }
      },
      async addSeeds({ template = 'default', objectsMax = null, bytesMax = null, ...given }) {
        const added = floor().addSeeds({ ...given, template, objectsMax, bytesMax })
        changed(floor().definitions.show(given.harvest))
        return added
      },
      runs: async ({ harvest, offset = 0, limit = 200 }) => floor().definitions.runs({ harvest, offset, limit }),
      changed: changes.on,
    },
    harvestSchedules: {
      list: async () => floor().schedules.list(),
      show: async ({ name }) => floor().schedules.show(name),
      add: async (input) => scheduleChanged(floor().schedules.add(harvestScheduleInput.parse(input))),
      edit: async ({ name, schedule }) =>
        scheduleChanged(floor().schedules.edit(name, harvestScheduleInput.parse(schedule))),
      async remove({ name }) {
        floor().schedules.remove(name)
        return scheduleChanged({})
      },
      nextRuns: async ({ timing, count = 10 }) => floor().schedules.nextRuns(harvestTiming.parse(timing), count),
      changed: scheduleChanges.on,
    },
    generatedJobs: {
      list: async ({ offset = 0, limit = 200, ...filter }) => floor().generated.list({ ...filter, offset, limit }),
      show: async ({ job }) => floor().generated.show(job),
      errors: async ({ job }) => floor().generated.errors(job),
      explain: async ({ job, offset = 0, limit = 200 }) => floor().generated.explain({ job, offset, limit }),
      resubmit: async ({ job }) => jobChanged(floor().generated.resubmit(job)),
      reject: async ({ job }) => jobChanged(floor().generated.reject(job)),
      unreject: async ({ job }) => jobChanged(floor().generated.unreject(job)),
    },
    harvestStatistics: {
      ofJob: async ({ job, offset = 0, limit = 200 }) => floor().statistics.ofJob({ job, offset, limit }),
      ofDomain: async ({ domain, offset = 0, limit = 200 }) => floor().statistics.ofDomain({ domain, offset, limit }),
      ofHarvest: async ({ harvest, limit = 100 }) => floor().statistics.ofHarvest({ harvest, limit }),
      latest: async () => latestRuns(floor()),
      counted: counts.on,
    },
  }
  return {
    services,
    onGeneration: ({ harvest, result }) => {
      const { name } = changed(floor().definitions.show(harvest))
      if ('failure' in result) {
        const text = message('notification.harvestDeactivated', { harvest: name, problem: result.failure })
        notifications.report({ kind: 'harvestDeactivated', message: text, harvest: name })
      } else for (const job of result.generated.jobs) signals.report({ kind: 'changed', job })
    },
    onCounted({ job, definition: harvest }) {
      counts.emit({ job, harvest })
      if (harvest !== null) reportAbnormal(floor(), harvest, notifications)
    },
  }
}

/** Reports the newest complete run of a harvest if it is abnormal. */
function reportAbnormal(floor: Harvests, harvest: number, to: Pick<Notifications, 'report'>): void {
  const [newest] = floor.statistics.ofHarvest({ harvest, limit: 1 })
  const [alarm] = newest?.alarms ?? []
  if (!newest || !alarm) return
  const { name } = floor.definitions.show(harvest)
  const text = message('notification.abnormalRun', { harvest: name, run: newest.run, alarm: alarm.message })
  to.report({ kind: 'abnormalRun', message: text, harvest: name, key: `run ${harvest} ${newest.run}` })
}

/** The newest complete run of each harvest, the newest first. */
function latestRuns({ definitions, statistics }: Harvests): LatestRun[] {
  const runs = definitions
    .list({})
    .flatMap(({ harvest, name }) =>
      statistics.ofHarvest({ harvest, limit: 1 }).map((run) => ({ harvest, name, ...run })),
    )
  return runs.toSorted((one, other) => other.ended.localeCompare(one.ended))
}
