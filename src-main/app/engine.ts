/**
 * The engine of one archive: opens the lower layers, puts the services of the contract on top of them and runs the crawl. It only composes;
 * all semantics are in the layers below. A shell gives it a folder and gets services back.
 */
import { join } from 'node:path'
import { askedBy } from '../archive/audit/auditOrigin.ts'
import type { Caller } from '../contract/calls/caller.ts'
import { servicesFor } from '../contract/calls/service.ts'
import type { Loupe, LoupeImplementation } from '../contract/contract.ts'
import { Fault } from '../contract/calls/faults.ts'
import { openConnectors, openSchedules } from '../crawl/crawl.ts'
import { holdLock } from '../storage/lock.ts'
import type { passOn } from '../viewer/proxy/passOn.ts'
import type { AnswerRewritten } from '../viewer/viewer.ts'
import { realWorld } from '../world/real.ts'
import type { World } from '../world/world.ts'
import { type EngineSetting } from './given/engineSetting.ts'
import { admitFolder } from './folders/archiveFolder.ts'
import type { AccountsDoor } from './services/accountsService.ts'
import { archiveService } from './services/archiveService.ts'
import { confirmedServices } from './gate/confirmedServices.ts'
import { gatedServices } from './gate/gatedServices.ts'
import { authoritiesService } from './services/authoritiesService.ts'
import { backupsService } from './services/backupsService.ts'
import { batchService } from './services/batchService.ts'
import { deduplicationService } from './services/deduplicationService.ts'
import { growthService } from './services/growthService.ts'
import { indexesService } from './services/indexesService.ts'
import { quickOpenService } from './services/quickOpenService.ts'
import { connectionsService } from './services/connectionsService.ts'
import { connectorsService } from './services/connectorsService.ts'
import { credentialsService } from './services/credentialsService.ts'
import { exportsService } from './services/exportsService.ts'
import { faultsTranslated } from './signals/faultsTranslated.ts'
import { historyService } from './services/historyService.ts'
import { type Incoming } from './folders/incoming.ts'
import { jobsService } from './services/jobsService.ts'
import { liveService } from './services/liveService.ts'
import { missesService } from './services/missesService.ts'
import { overlaysService } from './services/overlaysService.ts'
import { pageAuditsService } from './services/pageAuditsService.ts'
import { picturesService } from './services/picturesService.ts'
import { recordsService } from './services/recordsService.ts'
import { type Settings } from './settings/settings.ts'
import { securityService } from './services/securityService.ts'
import { searchService } from './services/searchService.ts'
import { schedulesService } from './services/schedulesService.ts'
import { settingsService, systemService } from './services/systemService.ts'
import { tasksService } from './services/tasksService.ts'
import { uploadsService } from './services/uploadsService.ts'
import { missingService } from './services/viewFindings.ts'
import { qualityReportsService } from './services/qualityReportsService.ts'
import { verdictsService } from './services/verdictsService.ts'
import { viewerService } from './services/viewerService.ts'
import { message } from '../contract/words/message.ts'
import { openBase, type Closer } from './parts/base.ts'
import { openHarvesting, type Parts } from './parts/harvesting.ts'
import { openKeeping } from './parts/keeping.ts'
import { openViewing } from './parts/viewing.ts'

/** The open engine of one archive. */
export interface Engine {
  /** The services, for the account of the operating system. */
  services: Loupe
  /** The services for any caller, as transports offer them. Entries that a call adds to the audit log name its caller. */
  implementation: LoupeImplementation
  /** The account of the operating system that runs the engine. Everything is allowed to it. */
  operator: Caller
  /** Log-ins of accounts, for a server that other machines reach. */
  accounts: AccountsDoor
  settings: Settings
  /** Where the viewer's proxy listens. */
  viewer: { host: string; port: number }
  /** Host name under which the viewer's proxy answers questions about itself instead of looking in the archive. */
  commandHost: string
  /** SHA-256 of the public key (SubjectPublicKeyInfo) of the archive's certificate authority, in base64: browsers
   *  that Loupe starts trust exactly this key. */
  spkiSha256: string
  passOn: ReturnType<typeof passOn>
  /** Answers requests for archived URLs of the service worker that rewrites pages. The shell admits them first. */
  answerRewritten: AnswerRewritten
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
    const gate = { ...parts, onProblem: parts.onBug((problem) => message('problem.authority', { problem })) }
    const implementation = mapped(
      confirmedServices(parts.accounts.confirmations, gatedServices(gate, servicesOf(parts))),
    )
    return {
      services: servicesFor(implementation, parts.operator),
      implementation,
      operator: parts.operator,
      accounts: parts.accounts.door,
      settings,
      viewer: viewer.proxy,
      commandHost: viewer.commandHost,
      spkiSha256: viewer.certificate.spkiSha256,
      passOn,
      answerRewritten: viewer.answerRewritten,
      incoming,
      async close() {
        // What was imported is restored as a task.
        await parts.pageAudits.close()
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

/** Composes the services of the contract. Each is a function of the parts it needs, in `services/`. */
function servicesOf(parts: Parts): LoupeImplementation {
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
    authorities: authoritiesService(parts),
    security: securityService(parts),
    ...parts.accounts.services,
    queue: liveService({ live: parts.live, signals, jobs, isWorkedOn }),
    schedules: schedulesService({ schedules: openSchedules(store, world, { isWorkedOn }), jobs, signals }),
    viewer: viewerService(parts),
    missing: missingService(parts),
    misses: missesService(parts),
    overlays: overlaysService(parts),
    verdicts: verdictsService(parts),
    pageAudits: pageAuditsService(parts),
    qualityReports: qualityReportsService(parts),
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

/** Passes every call through the single translation of the environment's faults, and binds its caller to what it does. */
function mapped(services: LoupeImplementation): LoupeImplementation {
  const result: Record<string, Record<string, unknown>> = {}
  for (const [service, members] of Object.entries(services)) {
    result[service] = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        (input: unknown, caller: Caller) => {
          const given = askedBy(caller, () => (member as (input: unknown, caller: Caller) => unknown)(input, caller))
          return given instanceof Promise ? faultsTranslated(() => given) : given
        },
      ]),
    )
  }
  return result as LoupeImplementation
}

/** Closes in reverse order, so that nothing is closed while a part above it may still use it. */
async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.toReversed()) await close()
}
