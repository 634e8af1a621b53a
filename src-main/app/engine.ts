/** The engine of one archive: opens what the floors below offer, puts the services of the contract over them and runs the
 *  crawl. It composes; what things mean is decided below. A shell gives it a folder and gets services back. */
import { join } from 'node:path'
import { openArchive, type Archive } from '../archive/store/archive.ts'
import { askedThrough } from '../archive/audit/auditOrigin.ts'
import { finishPlacing } from '../archive/backup/placeDatabase.ts'
import { openBatch, type Batch } from '../archive/batch/batch.ts'
import { openExports, type Exports } from '../archive/export/exports.ts'
import { openUploads, type Uploads } from '../archive/store/uploads.ts'
import { openPreservation, type Preservation } from '../archive/check/preservation.ts'
import type { Loupe } from '../contract/contract.ts'
import { Fault } from '../contract/calls/faults.ts'
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
  openRecovery,
  openSchedules,
  openReporter,
  runCrawl,
  type CrawlReport,
  type Imports,
  type Recovery,
} from '../crawl/crawl.ts'
import { openIndexes, type Indexes } from '../indexes/indexes.ts'
import { holdLock } from '../storage/lock.ts'
import { openStore, type Store } from '../storage/storage.ts'
import { openViewer, type Viewer } from '../viewer/viewer.ts'
import { openViews } from '../viewer/viewings/views.ts'
import { passOn } from '../viewer/proxy/passOn.ts'
import { realWorld } from '../world/real.ts'
import type { World } from '../world/world.ts'
import { auditShellOf, type EngineSetting } from './given/engineSetting.ts'
import { admitFolder, refuseLostDatabase } from './folders/archiveFolder.ts'
import { openBrowsers, type Browsers } from './given/browserBeside.ts'
import { closedFolders } from './folders/closedFolders.ts'
import { archiveService } from './services/archiveService.ts'
import { backupsService } from './services/backupsService.ts'
import { batchService } from './services/batchService.ts'
import { connectorsService } from './services/connectorsService.ts'
import { credentialsService } from './services/credentialsService.ts'
import { exportsService } from './services/exportsService.ts'
import { faultsTranslated, problemOf } from './signals/faultsTranslated.ts'
import { historyService } from './services/historyService.ts'
import { openHarvests } from './services/harvestsService.ts'
import { openIncoming, type Incoming } from './folders/incoming.ts'
import { openPreservationParts, type PreservationServices } from './services/preservationParts.ts'
import { jobsService } from './services/jobsService.ts'
import { liveService } from './services/liveService.ts'
import { picturesService } from './services/picturesService.ts'
import { recordsService } from './services/recordsService.ts'
import { openSettings, type Settings } from './settings/settings.ts'
import { schedulesService } from './services/schedulesService.ts'
import { settingsService, systemService } from './services/systemService.ts'
import { openSignals, type Signals } from './signals/signals.ts'
import { uploadsService } from './services/uploadsService.ts'
import { elsewhereOf } from './services/elsewhere.ts'
import { missingService, viewerService } from './services/viewerService.ts'
import { message } from '../contract/words/message.ts'

export interface Engine {
  services: Loupe
  /** Runs a call of the services for another shell than the one that opened the engine: the audit trail names it. */
  askedThrough: typeof askedThrough
  settings: Settings
  viewer: { host: string; port: number }
  commandHost: string
  spkiSha256: string
  passOn: ReturnType<typeof passOn>
  incoming: Incoming
  /** Puts running jobs down where they are; they go on at the next start. */
  close(): Promise<void>
}

/** Throws `Fault`: notFound (no archive is there), refused (foreign files are), inUse (another process has the archive), damaged, notAllowed, noSpace, badInput (loupe.toml). */
export function openEngine(setting: EngineSetting): Promise<Engine> {
  return faultsTranslated(() => open(setting, realWorld()))
}

async function open(setting: EngineSetting, world: World): Promise<Engine> {
  const { archiveFolder, accepts: accepted = 'newArchive' } = setting
  await admitFolder(world, archiveFolder, accepted)
  const lock = holdLock(join(archiveFolder, 'loupe.lock'))
  if (!lock) throw new Fault('inUse', message('folder.inUse', { folder: archiveFolder }))
  const closers: (() => unknown)[] = [() => lock.release()]
  try {
    const settings = await openSettings(world, archiveFolder)
    const folders = closedFolders({ disk: world.disk, archiveFolder, sharedWith: settings.sharedWith() })
    await folders.archive()
    const databasePath = join(archiveFolder, 'loupe.db')
    await finishPlacing(world.disk, archiveFolder)
    await refuseLostDatabase(world, { databasePath, replicas: settings.replicas(), accepted })
    const user = { ...world.operator, shell: auditShellOf[setting.shell] }
    const store = openStore(databasePath, { user })
    closers.push(() => store.close())
    const imports = openImports(store)
    const signals = openSignals({ jobs: openJobs(store, world), imports, world })
    const { limits } = settings.preservation()
    const archive = await openArchive({ store, world, replicas: settings.replicas(), limits })
    await folders.replicas(archive.places)
    const preservation = openPreservation({
      archive,
      store,
      world,
      onBug: (error) => signals.problem(problemOf(error, 'archive', 'checking the archive')),
    })
    closers.push(() => preservation.close())
    const settled = Promise.withResolvers<void>()
    const recovered = Promise.withResolvers<void>()
    if (!setting.run) {
      settled.resolve()
      recovered.resolve()
    }
    const places = {
      store,
      world,
      folder: join(archiveFolder, 'jobs'),
      quarantineFolder: join(archiveFolder, 'quarantine'),
    }
    const age = await databaseAge(places)
    // Whoever only looks something up must be told what a lost or older database does not know.
    if (!setting.run && (age === 'older' || archive.unregistered.isUnknown()))
      await archive.unregistered.compare(new AbortController().signal)
    const around = await openPreservationParts({
      archive,
      preservation,
      store,
      world,
      settings,
      signals,
      folders,
      onNotice: setting.onNotice,
      archiveFolder,
      databasePath,
      software: softwareOf(setting),
      run: setting.run,
      ready: recovered.promise,
      outside: () => filesOutside(places),
    })
    closers.push(() => around.close())
    const exports = await openExports({
      archive,
      store,
      world,
      archiveFolder,
      software: softwareOf(setting),
      onBug: (error) => signals.problem(problemOf(error, 'archive', 'exporting')),
    })
    closers.push(() => exports.close())
    const batch = await openBatch({
      archive,
      store,
      world,
      archiveFolder,
      onBug: (error) => signals.problem(problemOf(error, 'archive', 'running a batch job')),
    })
    closers.push(() => batch.close())
    const uploads = openUploads({
      archive,
      world,
      jobHolding: jobHolding(store),
      ready: recovered.promise,
      onBug: (error) => signals.problem(problemOf(error, 'archive', 'storing files')),
    })
    closers.push(() => uploads.close())
    const recovery = openRecovery({
      ...{ store, world, archive, jobs: openJobs(store, world), quarantineFolder: places.quarantineFolder },
      ready: recovered.promise,
      auditHead: around.auditHead,
      onBug: (error) => signals.problem(problemOf(error, 'archive', 'recovering files')),
    })
    closers.push(() => recovery.close())
    const views = openViews({ store, world })
    const indexes = await openIndexes({
      ...{ folder: join(archiveFolder, 'indexes'), world, archive },
      bytesMax: () => settings.number('viewer.indexBytesMax'),
      namedSelections: views.named,
    })
    closers.push(() => indexes.close())
    const jobs = openJobs(store, world)
    const viewer = await openViewer({
      store,
      world,
      archive,
      indexes,
      folder: archiveFolder,
      port: setting.viewerPort || settings.number('viewer.port'),
      allowedOrigins: setting.allowedOrigins ?? [],
      accessRules: settings.accessRules,
      otherCaptures: elsewhereOf({ jobs, archive, indexes }),
      onProblem: (error, doing) => signals.problem(problemOf(error, 'viewer', doing)),
    })
    closers.push(() => viewer.close())
    const browsers = openBrowsers({
      ...{ proxyPort: viewer.proxy.port, spkiSha256: viewer.certificate.spkiSha256 },
      start: setting.startBrowser,
    })
    closers.push(() => browsers.close())
    const passedOn = passOn(viewer.proxy.port)
    closers.push(() => passedOn.close())
    const incoming = await openIncoming({
      world,
      folder: join(archiveFolder, 'incoming'),
      importing: openJobs(store, world).importing,
      quarantineFolder: age === 'older' ? places.quarantineFolder : undefined,
    })
    const parts = {
      setting,
      world,
      store,
      settings,
      archive,
      preservation,
      around,
      exports,
      batch,
      uploads,
      recovery,
      settled: settled.promise,
      onSettled: settled.resolve,
      onRecovered: recovered.resolve,
      indexes,
      viewer,
      browsers,
      imports,
      signals,
    }
    const { services, close } = await compose(parts, databasePath)
    closers.push(close)
    return {
      services,
      askedThrough,
      settings,
      viewer: viewer.proxy,
      commandHost: viewer.commandHost,
      spkiSha256: viewer.certificate.spkiSha256,
      passOn: passedOn,
      incoming,
      close: () => closeAll(closers),
    }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

interface Parts {
  setting: EngineSetting
  world: World
  store: Store
  settings: Settings
  archive: Archive
  preservation: Preservation
  around: PreservationServices
  exports: Exports
  batch: Batch
  uploads: Uploads
  recovery: Recovery
  /** Resolves when it is known which files are the database's own. */
  settled: Promise<void>
  onSettled: () => void
  onRecovered: () => void
  indexes: Indexes
  viewer: Viewer
  browsers: Browsers
  imports: Imports
  signals: Signals
}

async function compose(parts: Parts, databasePath: string) {
  const {
    setting,
    world,
    store,
    settings,
    archive,
    preservation,
    around,
    exports,
    batch,
    uploads,
    recovery,
    indexes,
    viewer,
    browsers,
    imports,
    signals,
  } = parts
  const jobs = openJobs(store, world, { isWorkedOn: setting.run })
  const stop = new AbortController()
  const { archiveFolder, sealingKey } = setting
  const credentials = openCredentials({ store, world, folder: archiveFolder, sealingKey })
  const harvests = await openHarvests({
    jobs,
    definitions: openDefinitions(store, world),
    imports,
    credentials,
    world,
    signals,
    settled: parts.settled,
  })
  const reporter = openReporter(world, databasePath)
  const live = openLiveControl(world, store, databasePath)
  const software = softwareOf(setting)
  const running = setting.run
    ? runCrawl(
        world,
        {
          databasePath,
          folder: join(setting.archiveFolder, 'jobs'),
          incomingFolder: join(setting.archiveFolder, 'incoming'),
          quarantineFolder: join(setting.archiveFolder, 'quarantine'),
          user: store.user,
          replicas: settings.replicas(),
          settings: settings.crawl(),
          software,
          ...(sealingKey === undefined ? {} : { sealingKey }),
        },
        {
          signal: stop.signal,
          onReport: (report: CrawlReport) => {
            if (report.kind === 'settled') parts.onSettled()
            else if (report.kind === 'recovered') parts.onRecovered()
            // It is found before anyone can listen to the signals.
            else if (report.kind === 'found') setting.onNotice?.(report.text)
            else signals.hear(report)
          },
        },
      )
    : Promise.resolve()
  const services: Loupe = {
    system: systemService({ setting, viewer, signals }),
    harvests: harvests.service,
    credentials: credentialsService(credentials),
    jobs: jobsService({ jobs, archive, signals }),
    connectors: connectorsService({ connectors: openConnectors(store), signals }),
    queue: liveService({ live, signals, jobs, isWorkedOn: setting.run }),
    schedules: schedulesService({ schedules: openSchedules(store, world, { isWorkedOn: setting.run }), jobs, signals }),
    viewer: viewerService({ viewer, browsers, jobs, archive, indexes }),
    missing: missingService({ viewer, jobs, archive, indexes }),
    pictures: picturesService({ viewer, world, setting, software }),
    archive: archiveService({ archive, preservation, around, recovery, indexes, signals, signal: stop.signal }),
    backups: backupsService(around.backups),
    exports: exportsService({ exports, jobs, archive, indexes }),
    batch: batchService({ batch, archive, jobs }),
    uploads: uploadsService(uploads),
    records: recordsService({ archive, world }),
    history: historyService({ reporter, jobs }),
    settings: settingsService(settings, around.noteSettings),
  }
  return {
    services: mapped(services),
    async close() {
      stop.abort()
      await running
      // Whoever waited for it waits for nothing any more.
      parts.onSettled()
      parts.onRecovered()
      await harvests.close()
      reporter.close()
      live.close()
      signals.close()
    },
  }
}

function softwareOf({ version }: EngineSetting): string {
  return `Loupe/${version}`
}

/** Every call through the one translation of world faults; events as they are. */
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

async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.toReversed()) await close()
}
