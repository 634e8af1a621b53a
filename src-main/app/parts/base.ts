/** The database, the replicas, and the records about both. */
import { join } from 'node:path'
import { openArchive } from '../../archive/store/archive.ts'
import { finishPlacing } from '../../archive/backup/placeDatabase.ts'
import type { TaskKind } from '../../contract/shapes/taskKinds.ts'
import { openAccess } from '../../access/access.ts'
import { databaseAge, openCredentials, openImports, openJobs } from '../../crawl/crawl.ts'
import { openStore } from '../../storage/storage.ts'
import { loopMonitor } from '../../tasks/loopMonitor.ts'
import type { LoopState } from '../../contract/services/monitoring.ts'
import { openTasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { operatorCaller } from '../../contract/calls/caller.ts'
import { shellOf, type EngineSetting, type FolderAccepted } from '../given/engineSetting.ts'
import { refuseLostDatabase } from '../folders/archiveFolder.ts'
import { closedFolders } from '../folders/closedFolders.ts'
import { problemOf } from '../signals/faultsTranslated.ts'
import { openSettings } from '../settings/settings.ts'
import { openSignals } from '../signals/signals.ts'
import { message, type Message } from '../../contract/words/message.ts'

export type Closer = () => unknown

/** What an engine is opened with. */
export interface Opening {
  setting: EngineSetting
  world: World
  /** Called in reverse order when the engine is closed or cannot be opened. */
  closers: Closer[]
  accepted: FolderAccepted
}

/** What is opened first. */
export type Base = Awaited<ReturnType<typeof openBase>>

/** Opens the database, the replicas and the records about both. The order matters: permissions are closed before
 *  anything is opened, an interrupted restore is finished before its absence could pass for a lost database, and
 *  the age of the database is known before files in the replicas are judged by it. */
export async function openBase(opening: Opening) {
  const { setting, world, closers, accepted } = opening
  const { archiveFolder } = setting
  const settings = await openSettings(world, archiveFolder, setting.userSettingsFile)
  const folders = closedFolders({ disk: world.disk, archiveFolder, sharedWith: settings.sharedWith() })
  await folders.archive()
  const databasePath = join(archiveFolder, 'loupe.db')
  await finishPlacing(world.disk, archiveFolder)
  await refuseLostDatabase(world, { databasePath, replicas: settings.replicas(), accepted })
  const user = { ...world.operator, shell: shellOf[setting.shell] }
  const operator = operatorCaller(user.account, user.shell)
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
  const credentials = openCredentials({ store, world, folder: archiveFolder, sealingKey: setting.sealingKey })
  const access = openAccess({
    ...{ store, world, archiveFolders, settings: () => settings.authorities() },
    async secretOf(name) {
      const found = await credentials.secretOf(name)
      return 'secret' in found ? found.secret : found
    },
    onBug: onBug((problem) => message('problem.authority', { problem })),
  })
  return {
    ...{
      ...opening,
      archiveFolder,
      databasePath,
      archiveFolders,
      software: softwareOf(setting),
      credentials,
      access,
    },
    ...{
      operator,
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
  pageAudit: (problem) => message('problem.pageAudit', { problem }),
}

/** Name and version that WARC files, reports and pictures carry, such as `Loupe/0.1.0`. */
function softwareOf({ version }: EngineSetting): string {
  return `Loupe/${version}`
}
