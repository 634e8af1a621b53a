/** Incoming files, harvest definitions, deliveries, and the crawl. */
import { join } from 'node:path'
import { openLiveControl, openDefinitions, openReporter } from '../../crawl/crawl.ts'
import { openHarvestFloor, type Channels } from '../../harvest/harvest.ts'
import type { Notifications } from '../../notifications/notifications.ts'
import { harvestServices, type HarvestServices } from '../services/harvestDefinitionsService.ts'
import { openHarvests } from '../services/harvestsService.ts'
import { openNotificationsService } from '../services/notificationsService.ts'
import { openIncoming } from '../folders/incoming.ts'
import { monitoringService } from '../services/monitoringService.ts'
import { channelPlugins } from '../plugins/channelPlugins.ts'
import { choosePlugin } from '../plugins/plugins.ts'
import { openTextKeeper } from '../services/textKeeper.ts'
import { domainServices } from '../services/domainsService.ts'
import { templatesService } from '../services/templatesService.ts'
import { message } from '../../contract/words/message.ts'
import { crawling } from './crawling.ts'
import { openDelivering } from './delivering.ts'
import type { Viewed } from './viewing.ts'

/** All parts of an engine. */
export type Parts = Viewed & Awaited<ReturnType<typeof openHarvesting>>

/** Opens incoming files, harvest definitions, and the crawl in its thread. */
export async function openHarvesting(viewed: Viewed) {
  const { setting, world, closers, archiveFolder, databasePath, store, jobs, imports, credentials, signals, settled } =
    viewed
  const incoming = await openIncoming({
    ...{ world, folder: join(archiveFolder, 'incoming'), importing: jobs.importing },
    quarantineFolder: viewed.age === 'older' ? viewed.places.quarantineFolder : undefined,
  })
  const stop = new AbortController()
  const harvests = await openHarvests({
    ...{ jobs, imports, credentials, world, signals, archiveFolders: viewed.archiveFolders },
    definitions: openDefinitions(store, world),
    settled: settled.promise,
  })
  const notified = openNotificationsService({
    ...{ store, world, archiveFolder, signals, credentials, tasks: viewed.tasks, backups: viewed.around.backups },
    settings: () => viewed.settings.notifications(),
    log: (line) => setting.onNotice?.(line),
    onBug: viewed.onBug((problem) => message('problem.notifying', { problem })),
    isEngine: setting.run,
  })
  closers.push(() => notified.close())
  const textKeeper = openTextKeeper({
    ...{ ...viewed, isEngine: setting.run, ready: viewed.recovered.promise },
    onBug: viewed.onBug((problem) => message('problem.indexing', { problem })),
  })
  closers.push(() => textKeeper.close())
  const { channels: name, channelsSettings } = viewed.settings.generation()
  const channels = await choosePlugin(channelPlugins, {
    name,
    settings: channelsSettings,
    archiveFolder,
    disk: world.disk,
  })
  const floor = openFloor(viewed, { notifications: notified.notifications, channels })
  closers.push(() => floor.close())
  const { naming: templatesNaming, namingOutput } = floor.floor.templates
  const delivering = openDelivering(viewed, { notifications: notified.notifications, templatesNaming: namingOutput })
  const reporter = openReporter(world, databasePath)
  const live = openLiveControl(world, store, databasePath)
  const running = setting.run ? crawling(viewed, stop.signal) : Promise.resolve()
  closers.push(async () => {
    stop.abort()
    await running
    // Nothing else will resolve these: callers that wait for them must not wait forever.
    settled.resolve()
    viewed.recovered.resolve()
    await harvests.close()
    reporter.close()
    live.close()
    signals.close()
  })
  const monitoring = monitoringService({
    ...{ world, archiveFolder, databasePath, jobs, signals, tasks: viewed.tasks, viewer: viewed.viewer },
    ...{ harvests: floor.floor, notifications: notified.notifications },
    loops: () => [...viewed.crawlLoops.current, ...viewed.monitor.list()],
  })
  const harvesting = {
    ...{ ...floor.services, ...delivering, notifications: notified.service, monitoring },
  }
  return {
    incoming,
    harvests,
    harvesting,
    templatesNaming,
    reporter,
    live,
    textKeeper,
    signal: stop.signal,
  }
}

interface FloorParts {
  notifications: Pick<Notifications, 'report'>
  channels: Channels
}

/** Opens harvest definitions, which generate and submit jobs by themselves while the engine runs. */
function openFloor(viewed: Viewed, { notifications, channels }: FloorParts) {
  const { setting, world, databasePath, store, archive, jobs, settings, signals } = viewed
  const served: HarvestServices = harvestServices(() => floor, signals, notifications)
  const failed = viewed.onBug((problem) => message('problem.generating', { problem }))
  const floor = openHarvestFloor({
    ...{ store, world, archive, databasePath, jobs, settings: () => settings.generation(), isEngine: setting.run },
    ...{ monitor: viewed.monitor, channels },
    ready: viewed.settled.promise,
    reports: {
      onGeneration: served.onGeneration,
      onStarted: (job) => signals.report({ kind: 'changed', job }),
      onCounted: served.onCounted,
      onProblem: failed,
    },
  })
  const services = { ...served.services, ...domainServices(floor), templates: templatesService(floor.templates) }
  return { services, floor, close: () => floor.close() }
}
