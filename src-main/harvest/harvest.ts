/** Entrance of the harvest floor: harvest definitions, the jobs that they generate, and what became of them. While the engine runs, it
 *  generates runs that are due, submits their jobs and counts those that have ended. */
import type { Archive } from '../archive/store/archive.ts'
import type { Jobs } from '../crawl/crawl.ts'
import { messageOf } from '../contract/text/messageOf.ts'
import { message } from '../contract/words/message.ts'
import type { LoopMonitor } from '../tasks/loopMonitor.ts'
import type { Store } from '../storage/storage.ts'
import { sleepUnlessAborted } from '../world/sleepUnlessAborted.ts'
import type { World } from '../world/world.ts'
import { openHarvestSchedules, type HarvestSchedules } from './calendar/harvestSchedules.ts'
import { eventSeedsOf } from './definitions/eventSeeds.ts'
import { openDomains, type Domains } from './domains/domains.ts'
import { openExtendedFields, openTrapLists, type ExtendedFields, type TrapLists } from './domains/institution.ts'
import { openTemplates, type Templates } from './templates/templates.ts'
import { openHarvestDefinitions, type HarvestDefinitions } from './definitions/harvestDefinitions.ts'
import { generateInThread } from './generation/generateInThread.ts'
import { openGeneratedJobs, type GeneratedJobs } from './jobs/generatedJobs.ts'
import { listenedChannels } from './model/channels.ts'
import type { GenerationSettings } from './model/generationSettings.ts'
import { countInThread } from './statistics/countInThread.ts'
import type { UncountedJob } from './statistics/statistics.sql.ts'
import { openStatistics, type Statistics } from './statistics/statistics.ts'
import type { Channels } from './submission/channels.ts'
import { openHarvester } from './submission/harvester.ts'
import { openScheduler, type GenerationReport, type Scheduler } from './submission/scheduler.ts'

export type { GenerationReport } from './submission/scheduler.ts'
export type { HarvestDefinitions } from './definitions/harvestDefinitions.ts'
export type { HarvestSchedules } from './calendar/harvestSchedules.ts'
export type { GeneratedJobs } from './jobs/generatedJobs.ts'
export { memoryChannels, type Channels } from './submission/channels.ts'
export type { Statistics } from './statistics/statistics.ts'
export { defaultGenerationSettings, generationSettings, type GenerationSettings } from './model/generationSettings.ts'

/** What happens without anyone having asked for it. */
export interface HarvestReports {
  onGeneration(report: GenerationReport): void
  /** A generated job was started. */
  onStarted(job: number): void
  onCounted(job: UncountedJob): void
  /** A loop failed; it goes on after a pause. */
  onProblem(error: unknown): void
}

/** The harvests of an archive. */
export interface Harvests {
  schedules: HarvestSchedules
  definitions: HarvestDefinitions
  addSeeds: ReturnType<typeof eventSeedsOf>
  domains: Domains
  trapLists: TrapLists
  extendedFields: ExtendedFields
  templates: Templates
  generated: GeneratedJobs
  statistics: Statistics
  scheduler: Pick<Scheduler, 'run' | 'isGenerating'>
  /** Numbers of submitted jobs that no harvester has taken, by channel. */
  waiting(): Promise<Record<string, number>>
  close(): Promise<void>
}

interface HarvestSetting {
  store: Store
  world: World
  archive: Pick<Archive, 'selected' | 'pathOfFile'>
  databasePath: string
  jobs: Jobs
  /** Read whenever they are needed. */
  settings: () => GenerationSettings
  reports: HarvestReports
  /** Resolves when the numbers of new jobs cannot be those of files that are found. */
  ready: Promise<void>
  /** Notes the passes of the loops. */
  monitor: LoopMonitor
  /** Whether this process is the engine of the archive. Otherwise nothing happens by itself. */
  isEngine: boolean
  /** Queue of submitted jobs. */
  channels: Channels
}

/** How often harvests that are due are looked for: a minute is the finest interval of a schedule. */
const generationEveryMs = 60_000
/** How often ended jobs are replaced by new ones. */
const submissionEveryMs = 2_000

/** Opens the harvests. */
export function openHarvestFloor(setting: HarvestSetting): Harvests {
  const { store, world, archive, databasePath, jobs, settings, reports, ready, isEngine, channels } = setting
  const definitions = openHarvestDefinitions(store, world.clock)
  const templates = openTemplates(store, world)
  const domains = openDomains({ store, clock: world.clock, templates, aliasDays: () => settings().aliasDays })
  const thread = { threads: world.threads, databasePath, user: store.user }
  const scheduler = openScheduler({
    ...{ store, clock: world.clock, definitions, listened: listenedChannels },
    generate: generateInThread({ ...thread, settings }),
    onReport: reports.onGeneration,
  })
  const stop = new AbortController()
  const { signal } = stop
  const statistics = openStatistics({
    store,
    count: countInThread({ ...thread, archive, signal }),
    alarmFactor: () => settings().alarmPercent / 100,
  })
  const harvester = openHarvester({
    ...{ store, clock: world.clock, jobs, channels, listened: listenedChannels },
    jobsAtOnceMax: () => settings().jobsAtOnceMax,
  })
  const repeated = async (name: string, everyMs: number, act: () => Promise<void> | void) => {
    await ready
    while (!signal.aborted) {
      const end = setting.monitor.pass(name)
      try {
        await act()
        end()
      } catch (error) {
        end(message('text', { text: messageOf(error) }))
        if (!signal.aborted) reports.onProblem(error)
      }
      await sleepUnlessAborted(world.clock, everyMs, signal)
    }
  }
  const loops = isEngine
    ? [
        repeated('generation', generationEveryMs, () => scheduler.pass()),
        harvester.sendAgain().then(() =>
          repeated('submission', submissionEveryMs, async () => {
            for (const job of await harvester.take()) reports.onStarted(job)
          }),
        ),
        repeated('statistics', submissionEveryMs, () => countAll(statistics, reports)),
      ]
    : []
  return {
    schedules: openHarvestSchedules(store, world.clock),
    ...{ templates, domains, addSeeds: eventSeedsOf(store, domains) },
    ...{ trapLists: openTrapLists(store), extendedFields: openExtendedFields(store) },
    ...{ definitions, generated: openGeneratedJobs(store, world.clock, jobs), statistics },
    scheduler,
    waiting: async () =>
      Object.fromEntries(
        await Promise.all(listenedChannels.map(async (name) => [name, await channels.waiting(name)] as const)),
      ),
    async close() {
      stop.abort()
      await Promise.all([scheduler.close(), ...loops])
      await channels.close()
    },
  }
}

async function countAll(statistics: Statistics, { onCounted }: HarvestReports): Promise<void> {
  for (let job = await statistics.countNext(); job; job = await statistics.countNext()) onCounted(job)
}
