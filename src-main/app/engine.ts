/**
 * The engine of one archive: opens the lower layers, puts the services of the contract on top of them and runs the crawl. It only composes;
 * all semantics are in the layers below. A shell gives it a folder and gets services back.
 */
import { textOf } from '../contract/words/render.ts'
import { join } from 'node:path'
import { openArchive } from '../archive/store/archive.ts'
import { askedThrough } from '../archive/audit/auditOrigin.ts'
import { finishPlacing } from '../archive/backup/placeDatabase.ts'
import { openBatch } from '../archive/batch/batch.ts'
import { openExports } from '../archive/export/exports.ts'
import { openUploads } from '../archive/store/uploads.ts'
import { openPreservation } from '../archive/check/preservation.ts'
import type { Loupe } from '../contract/contract.ts'
import { Fault } from '../contract/calls/faults.ts'
import type { TaskKind } from '../contract/shapes/taskKinds.ts'
import {
  databaseAge,
  filesOutside,
  jobHolding,
  openConnectors,
  openCredentials,
  openImports,
  openJobs,
  openLiveControl,
  openDefinitions,
  openIndexRequests,
  openRecovery,
  openSchedules,
  openReporter,
  runCrawl,
  type CrawlReport,
} from '../crawl/crawl.ts'
import { openHarvestFloor, type Channels } from '../harvest/harvest.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { openIndexes } from '../indexes/indexes.ts'
import { holdLock } from '../storage/lock.ts'
import { openStore } from '../storage/storage.ts'
import { loopMonitor } from '../tasks/loopMonitor.ts'
import type { LoopState } from '../contract/services/monitoring.ts'
import { openTasks } from '../tasks/tasks.ts'
import { openViewer } from '../viewer/viewer.ts'
import { openViews } from '../viewer/viewings/views.ts'
import { passOn } from '../viewer/proxy/passOn.ts'
import { realWorld } from '../world/real.ts'
import type { World } from '../world/world.ts'
import { auditShellOf, type EngineSetting, type FolderAccepted } from './given/engineSetting.ts'
import { admitFolder, refuseLostDatabase } from './folders/archiveFolder.ts'
import { openBrowsers } from './given/separateBrowsers.ts'
import { closedFolders } from './folders/closedFolders.ts'
import { archiveService } from './services/archiveService.ts'
import { authoritiesService } from './services/authoritiesService.ts'
import { backupsService } from './services/backupsService.ts'
import { batchService } from './services/batchService.ts'
import { openDeliveriesService } from './services/deliveriesService.ts'
import { openOutputsService } from './services/outputsService.ts'
import { deduplicationService } from './services/deduplicationService.ts'
import { growthService } from './services/growthService.ts'
import { indexesService } from './services/indexesService.ts'
import { quickOpenService } from './services/quickOpenService.ts'
import { connectionsService } from './services/connectionsService.ts'
import { connectorsService } from './services/connectorsService.ts'
import { credentialsService } from './services/credentialsService.ts'
import { exportsService } from './services/exportsService.ts'
import { faultsTranslated, problemOf } from './signals/faultsTranslated.ts'
import { historyService } from './services/historyService.ts'
import { harvestServices, type HarvestServices } from './services/harvestDefinitionsService.ts'
import { openHarvests } from './services/harvestsService.ts'
import { openNotificationsService } from './services/notificationsService.ts'
import { openIncoming, type Incoming } from './folders/incoming.ts'
import { openPreservationParts } from './services/preservationParts.ts'
import { monitoringService } from './services/monitoringService.ts'
import { jobsService } from './services/jobsService.ts'
import { liveService } from './services/liveService.ts'
import { picturesService } from './services/picturesService.ts'
import { recordsService } from './services/recordsService.ts'
import { channelPlugins } from './plugins/channelPlugins.ts'
import { choosePlugin } from './plugins/plugins.ts'
import { openSettings, type Settings } from './settings/settings.ts'
import { keepTextIndex, searchService } from './services/searchService.ts'
import { schedulesService } from './services/schedulesService.ts'
import { settingsService, systemService } from './services/systemService.ts'
import { openSignals } from './signals/signals.ts'
import { registerImports } from './services/importTasks.ts'
import { tasksService } from './services/tasksService.ts'
import { domainServices } from './services/domainsService.ts'
import { templatesService } from './services/templatesService.ts'
import { uploadsService } from './services/uploadsService.ts'
import { elsewhereOf } from './services/elsewhere.ts'
import { missingService } from './services/viewFindings.ts'
import { viewerService } from './services/viewerService.ts'
import { message, type Message } from '../contract/words/message.ts'

/** The open engine of one archive. */
export interface Engine {
  services: Loupe
  /** Runs a call of the services on behalf of another shell than the one that opened the engine: entries that the
   *  call adds to the audit log name that shell. */
  askedThrough: typeof askedThrough
  settings: Settings
  /** Where the viewer's proxy listens. */
  viewer: { host: string; port: number }
  /** Host name under which the viewer's proxy answers questions about itself instead of looking in the archive. */
  commandHost: string
  /** SHA-256 of the public key (SubjectPublicKeyInfo) of the archive's certificate authority, in base64: browsers
   *  that Loupe starts trust exactly this key. */
  spkiSha256: string
  passOn: ReturnType<typeof passOn>
  /** Files that browsers upload, to be imported. */
  incoming: Incoming
  /** Stops running jobs where they are; they continue at the next start. */
  close(): Promise<void>
}

/**
 * Opens an archive. Throws `Fault`: notFound (no archive is there), refused (foreign files are), inUse (another process has the archive),
 * damaged, notAllowed, noSpace, badInput (loupe.toml).
 */
export function openEngine(setting: EngineSetting): Promise<Engine> {
  return faultsTranslated(() => open(setting, realWorld()))
}

async function open(setting: EngineSetting, world: World): Promise<Engine> {
  const { archiveFolder, accepts: accepted = 'newArchive' } = setting
  await admitFolder(world, archiveFolder, accepted)
  const lock = holdLock(join(archiveFolder, 'loupe.lock'))
  if (!lock) throw new Fault('inUse', message('folder.inUse', { folder: archiveFolder }))
  const closers: Closer[] = [() => lock.release()]
  try {
    const base = await openBase({ setting, world, closers, accepted })
    const kept = { ...base, ...(await openKeeping(base)) }
    const shown = { ...kept, ...(await openViewing(kept)) }
    const parts = { ...shown, ...(await openHarvesting(shown)) }
    const { settings, viewer, passedOn: passOn, incoming } = parts
    return {
      services: mapped(servicesOf(parts)),
      askedThrough,
      settings,
      viewer: viewer.proxy,
      commandHost: viewer.commandHost,
      spkiSha256: viewer.certificate.spkiSha256,
      passOn,
      incoming,
      async close() {
        // Tasks first: their work uses the parts that the closers close.
        await parts.tasks.close()
        await closeAll(closers)
      },
    }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

type Closer = () => unknown

interface Opening {
  setting: EngineSetting
  world: World
  /** Called in reverse order when the engine is closed or cannot be opened. */
  closers: Closer[]
  accepted: FolderAccepted
}

/** Each of the following functions opens one part of the engine on top of those already open. Their types follow from what they return. */
type Base = Awaited<ReturnType<typeof openBase>>
type Kept = Base & Awaited<ReturnType<typeof openKeeping>>
type Viewed = Kept & Awaited<ReturnType<typeof openViewing>>
type Parts = Viewed & Awaited<ReturnType<typeof openHarvesting>>

/** Opens the database, the replicas and the records about both. The order matters: permissions are closed before
 *  anything is opened, an interrupted restore is finished before its absence could pass for a lost database, and
 *  the age of the database is known before files in the replicas are judged by it. */
async function openBase(opening: Opening) {
  const { setting, world, closers, accepted } = opening
  const { archiveFolder } = setting
  const settings = await openSettings(world, archiveFolder, setting.userSettingsFile)
  const folders = closedFolders({ disk: world.disk, archiveFolder, sharedWith: settings.sharedWith() })
  await folders.archive()
  const databasePath = join(archiveFolder, 'loupe.db')
  await finishPlacing(world.disk, archiveFolder)
  await refuseLostDatabase(world, { databasePath, replicas: settings.replicas(), accepted })
  const user = { ...world.operator, shell: auditShellOf[setting.shell] }
  const store = openStore(databasePath, { user })
  closers.push(() => store.close())
  const imports = openImports(store)
  const jobs = openJobs(store, world, { isWorkedOn: setting.run })
  const signals = openSignals({ jobs, imports, world })
  const tasks = openTasks({
    store,
    world,
    onBug: (error, kind) => signals.problem(problemOf(error, 'archive', failureOf[kind])),
  })
  const { limits } = settings.preservation()
  const archive = await openArchive({ store, world, replicas: settings.replicas(), limits })
  await folders.replicas(archive.places)
  /** Resolves when it is known which files belong to the database. */
  const settled = Promise.withResolvers<void>()
  /** Resolves when interrupted stores have been finished. */
  const recovered = Promise.withResolvers<void>()
  if (!setting.run) {
    settled.resolve()
    recovered.resolve()
  }
  const folder = join(archiveFolder, 'jobs')
  const places = { store, world, folder, quarantineFolder: join(archiveFolder, 'quarantine') }
  const age = await databaseAge(places)
  // A read-only command must report what a lost or older database does not know.
  if (!setting.run && (age === 'older' || archive.unregistered.isUnknown()))
    await archive.unregistered.compare(new AbortController().signal)
  const monitor = loopMonitor(world.clock)
  /** The loops of the crawl thread, as it reported them last. */
  const crawlLoops: { current: LoopState[] } = { current: [] }
  /** Reports a failure that no caller waits for. `failure` says what failed, given the text of the error. */
  const onBug = (failure: (problem: Message) => Message) => (error: unknown) =>
    signals.problem(problemOf(error, 'archive', failure))
  const archiveFolders = [archiveFolder, ...archive.places.map((place) => place.folder)]
  return {
    ...{ ...opening, archiveFolder, databasePath, archiveFolders, software: softwareOf(setting) },
    ...{
      monitor,
      crawlLoops,
      settings,
      folders,
      store,
      imports,
      jobs,
      signals,
      tasks,
      archive,
      settled,
      recovered,
      places,
      age,
      onBug,
    },
  }
}

/** Opens bit preservation, exports, batch jobs, uploads and recovery. */
async function openKeeping(base: Base) {
  const { setting, world, closers, archiveFolder, store, archive, places, onBug } = base
  const common = { archive, store, world }
  const ready = base.recovered.promise
  const preservation = await openPreservation({
    ...{ ...common, tasks: base.tasks },
    onBug: onBug((problem) => message('problem.checking', { problem })),
  })
  closers.push(() => preservation.close())
  const around = await openPreservationParts({
    ...base,
    preservation,
    onNotice: setting.onNotice,
    run: setting.run,
    ready,
    outside: () => filesOutside(places),
  })
  closers.push(() => around.close())
  const { software } = base
  const exports = await openExports({ ...common, tasks: base.tasks, archiveFolder, software })
  const batch = await openBatch({ ...common, tasks: base.tasks, archiveFolder })
  await registerImports({ ...common, tasks: base.tasks, jobs: base.jobs, signals: base.signals, run: setting.run })
  const uploads = await openUploads({ ...common, tasks: base.tasks, jobHolding: jobHolding(store), ready })
  const recovery = openRecovery({
    ...{ ...common, jobs: base.jobs, quarantineFolder: places.quarantineFolder, ready },
    auditHead: around.auditHead,
    onBug: onBug((problem) => message('problem.recovering', { problem })),
  })
  closers.push(() => recovery.close())
  return { preservation, around, exports, batch, uploads, recovery }
}

/** Opens indexes, the viewer, and browsers that show its pages. */
async function openViewing(kept: Kept) {
  const { setting, world, closers, archiveFolder, store, archive, settings, jobs, signals } = kept
  const views = openViews({ store, world })
  const indexes = await openIndexes({
    ...{ folder: join(archiveFolder, 'indexes'), world, archive, tasks: kept.tasks },
    bytesMax: () => settings.number('viewer.indexBytesMax'),
    namedSelections: views.named,
  })
  closers.push(() => indexes.close())
  const viewer = await openViewer({
    ...{ store, world, archive, indexes, folder: archiveFolder },
    port: setting.viewerPort || settings.number('viewer.port'),
    allowedOrigins: setting.allowedOrigins ?? [],
    accessRules: settings.accessRules,
    recordCacheBytesMax: () => settings.number('viewer.recordCacheBytesMax'),
    otherCaptures: elsewhereOf({ jobs, archive, indexes }),
    onProblem: (error, failure) => signals.problem(problemOf(error, 'viewer', failure)),
  })
  closers.push(() => viewer.close())
  const browsers = openBrowsers({
    ...{ proxyPort: viewer.proxy.port, spkiSha256: viewer.certificate.spkiSha256 },
    start: setting.startBrowser,
  })
  closers.push(() => browsers.close())
  const passedOn = passOn(viewer.proxy.port)
  closers.push(() => passedOn.close())
  return { indexes, viewer, browsers, passedOn }
}

/** Opens incoming files, harvest definitions, and the crawl in its thread. */
async function openHarvesting(viewed: Viewed) {
  const { setting, world, closers, archiveFolder, databasePath, store, jobs, imports, signals, settled } = viewed
  const incoming = await openIncoming({
    ...{ world, folder: join(archiveFolder, 'incoming'), importing: jobs.importing },
    quarantineFolder: viewed.age === 'older' ? viewed.places.quarantineFolder : undefined,
  })
  const stop = new AbortController()
  const credentials = openCredentials({ store, world, folder: archiveFolder, sealingKey: setting.sealingKey })
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
  const deliveries = openDeliveriesService({
    ...{ store, world, archive: viewed.archive, databasePath, jobsFolder: viewed.places.folder },
    indexesFolder: join(archiveFolder, 'indexes'),
    ...{ replicas: viewed.settings.replicas(), notifications: notified.notifications, isEngine: setting.run },
    ready: viewed.recovered.promise,
    onProblem: viewed.onBug((problem) => message('problem.delivering', { problem })),
  })
  closers.push(() => deliveries.close())
  if (setting.run)
    closers.push(
      keepTextIndex({
        ...{ ...viewed, ready: viewed.recovered.promise },
        onBug: viewed.onBug((problem) => message('problem.indexing', { problem })),
      }),
    )
  const { channels: name, channelsSettings } = viewed.settings.generation()
  const channels = await choosePlugin(channelPlugins, {
    name,
    settings: channelsSettings,
    archiveFolder,
    disk: world.disk,
  })
  const floor = openFloor(viewed, { notifications: notified.notifications, channels })
  closers.push(() => floor.close())
  const outputs = openOutputsService({
    ...{ store, world, archive: viewed.archive, databasePath, jobsFolder: viewed.places.folder },
    indexesFolder: join(archiveFolder, 'indexes'),
    ...{ replicas: viewed.settings.replicas(), archiveFolders: viewed.archiveFolders, isEngine: setting.run },
    notifications: notified.notifications,
    templatesNaming: floor.floor.templates.namingOutput,
    ready: viewed.recovered.promise,
    onProblem: viewed.onBug((problem) => message('problem.delivering', { problem })),
  })
  closers.push(() => outputs.close())
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
    ...{ ...floor.services, notifications: notified.service, monitoring },
    ...{ deliveries: deliveries.service, outputs: outputs.service },
  }
  const templatesNaming = floor.floor.templates.naming
  return { incoming, credentials, harvests, harvesting, templatesNaming, reporter, live, signal: stop.signal }
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

/** Runs the crawl until `signal` aborts, and passes its reports on: to the promises of the parts, to the log of
 *  the shell, or to subscribers. */
function crawling(parts: Viewed, signal: AbortSignal): Promise<void> {
  const { setting, world, archiveFolder, databasePath, store, settings, places, software, signals } = parts
  const { sealingKey } = setting
  const requests = openIndexRequests(
    { store, indexes: parts.indexes, signal },
    parts.onBug((problem) => message('problem.indexing', { problem })),
  )
  requests.answer()
  const onReport = (report: CrawlReport) => {
    if (report.kind === 'settled') {
      parts.settled.resolve()
      signals.report(report)
    } else if (report.kind === 'recovered') parts.recovered.resolve()
    // This is found before any listener can subscribe to the signals.
    else if (report.kind === 'loops') parts.crawlLoops.current = report.loops
    else if (report.kind === 'indexAsked') requests.answer()
    else if (report.kind === 'found') setting.onNotice?.(textOf(report.message))
    else signals.report(report)
  }
  return runCrawl(
    world,
    {
      ...{ databasePath, folder: places.folder, quarantineFolder: places.quarantineFolder },
      incomingFolder: join(archiveFolder, 'incoming'),
      user: store.user,
      replicas: settings.replicas(),
      settings: settings.crawl(),
      software,
      ...(sealingKey === undefined ? {} : { sealingKey }),
    },
    { signal, onReport },
  )
}

/** Composes the services of the contract. Each is a function of the parts it needs, in `services/`. */
function servicesOf(parts: Parts): Loupe {
  const { setting, world, store, jobs, settings, around, signals } = parts
  const isWorkedOn = setting.run
  return {
    system: systemService(parts),
    harvests: parts.harvests.service,
    ...parts.harvesting,
    credentials: credentialsService(parts.credentials),
    jobs: jobsService(parts),
    connectors: connectorsService({ connectors: openConnectors(store), signals }),
    connections: connectionsService(parts),
    authorities: authoritiesService({
      ...parts,
      settings: () => settings.authorities(),
      onBug: parts.onBug((problem) => message('problem.authority', { problem })),
    }),
    queue: liveService({ live: parts.live, signals, jobs, isWorkedOn }),
    schedules: schedulesService({ schedules: openSchedules(store, world, { isWorkedOn }), jobs, signals }),
    viewer: viewerService(parts),
    missing: missingService(parts),
    pictures: picturesService(parts),
    archive: archiveService(parts),
    backups: backupsService(around.backups),
    tasks: tasksService(parts.tasks),
    deduplication: deduplicationService(parts),
    growth: growthService(parts),
    indexes: indexesService(parts),
    quickOpen: quickOpenService(parts),
    exports: exportsService(parts),
    batch: batchService(parts),
    uploads: uploadsService(parts.uploads),
    records: recordsService(parts),
    history: historyService(parts),
    search: searchService(parts),
    settings: settingsService(settings, around.noteSettings),
  }
}

/** The work of each kind of task, for reports of problems in it. */
const failureOf: Record<TaskKind, (problem: Message) => Message> = {
  missing: (problem) => message('problem.checking', { problem }),
  checksums: (problem) => message('problem.checking', { problem }),
  spot: (problem) => message('problem.checking', { problem }),
  export: (problem) => message('problem.exporting', { problem }),
  batch: (problem) => message('problem.batch', { problem }),
  upload: (problem) => message('problem.uploading', { problem }),
  index: (problem) => message('problem.indexing', { problem }),
  import: (problem) => message('problem.importing', { problem }),
}

/** Name and version that WARC files, reports and pictures carry, such as `Loupe/0.1.0`. */
function softwareOf({ version }: EngineSetting): string {
  return `Loupe/${version}`
}

/** Passes every call through the single translation of the environment's faults; events are unchanged. */
function mapped(services: Loupe): Loupe {
  const result: Record<string, Record<string, unknown>> = {}
  for (const [service, members] of Object.entries(services)) {
    result[service] = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        (input: unknown) => {
          const given = (member as (input: unknown) => unknown)(input)
          return given instanceof Promise ? faultsTranslated(() => given) : given
        },
      ]),
    )
  }
  return result as Loupe
}

/** Closes in reverse order, so that nothing is closed while a part above it may still use it. */
async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.toReversed()) await close()
}
