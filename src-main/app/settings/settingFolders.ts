/** Folders in the settings that must be separate, so that one fault cannot take two of them. */
import { folderProblem } from '../../archive/backup/backupFolder.ts'
import { placesProblems, type PlacesProblem } from '../../archive/replica/replicaPlaces.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import { pathOfModule } from '../../modules/userModule.ts'
import { nearest } from '../../contract/text/nearest.ts'
import type { Values } from './settingsFile.ts'
import { backupSettingsIn, foldersIn, replicasIn, settingOfKind } from './settingValues.ts'

/** Settings with folders that must not be inside one another. */
const separateFolders = ['backup.folder', 'replicas', 'checksumReplicas']

interface Place {
  disk: Disk
  archiveFolder: string
}

/** Returns the replicas that share a folder or a name: the problem, and the settings concerned. */
export async function clashesIn(
  values: Values,
  { disk, archiveFolder }: Place,
): Promise<{ settings: string[]; problem: Message }[]> {
  const replicas = replicasIn(values, archiveFolder)
  const found = await placesProblems(disk, replicas)
  return found.map(({ message: problem, between }) => {
    // A missing replica concerns all of them.
    const concerned = between.length > 0 ? between : replicas
    return {
      settings: concerned.map(({ kind = 'files' }) => settingOfKind[kind]),
      problem: clashMessage(values, { message: problem, between: concerned }),
    }
  })
}

/** Quotes the lines of the file, so that they can be found and fixed. */
function clashMessage(values: Values, { message: problem, between }: PlacesProblem): Message {
  const lines = between.map(
    ({ name, kind = 'files' }) => `${settingOfKind[kind]}.${name} = ${JSON.stringify(foldersIn(values, kind)[name])}`,
  )
  return message('setting.replicas.clash', { problem, lines: lines.join(', ') })
}

/**
 * Refuses a change that would keep the archive from being opened: throws `Fault` badInput or refused. An error in another setting does not
 * prevent it: otherwise two errors could never be fixed. `after`: the values with the change.
 */
export async function refuseFolders(setting: string, after: Values, place: Place): Promise<void> {
  if (setting === 'places') refuseUnknownReplica(after, place.archiveFolder)
  const own = (await clashesIn(after, place)).find(({ settings }) => settings.includes(setting))
  if (own) throw new Fault('refused', own.problem)
  if (setting === 'replicas') await refuseModules(after, place)
  if (separateFolders.includes(setting)) await refuseBackupFolder(after, place)
}

/** Refuses modules that are not there, or inside the archive. Whether they can be used is checked when the archive is opened. */
async function refuseModules(after: Values, { disk, archiveFolder }: Place): Promise<void> {
  for (const { module } of replicasIn(after, archiveFolder)) {
    if (module) await pathOfModule(disk, module.path, { archiveFolders: module.archiveFolders, field: ['value'] })
  }
}

function refuseUnknownReplica(after: Values, archiveFolder: string): void {
  const names = replicasIn(after, archiveFolder).map(({ name }) => name)
  const unknown = Object.keys(after.get('places') as object).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Fault('badInput', unknownReplica(unknown, names))
}

async function refuseBackupFolder(after: Values, { disk, archiveFolder }: Place): Promise<void> {
  const archiveFolders = { archiveFolder, replicas: replicasIn(after, archiveFolder) }
  const problem = await folderProblem(disk, backupSettingsIn(after, archiveFolder).folder, archiveFolders)
  if (problem !== undefined) throw new Fault('refused', message('setting.backup.folder.refused', { problem }))
}

function unknownReplica(name: string, names: readonly string[]): Message {
  const near = nearest(name, names)
  const known = names.join(', ')
  return near === undefined
    ? message('setting.places.unknown', { name, known })
    : message('setting.places.unknown.near', { name, near, known })
}
