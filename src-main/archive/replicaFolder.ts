/** One replica: a folder that holds a copy of every file of the archive, all side by side under their names. This file
 *  knows whether the folder can be used now, and whether it is the right one. What lies in it is the catalogue's business.
 *
 *  A drive that is not mounted leaves an empty folder behind. Taken for the replica, every file in it would count as lost
 *  and new files would go to the wrong disk. So each replica's folder holds a mark with the replica's name, and a folder
 *  without a mark is only accepted when nothing is expected in it, or when something that is expected is there. */
import { join } from 'node:path'
import { DiskFault, type Disk, type World } from '../world/world.ts'
import { recognitionCountMax } from './limits.ts'
import { markName, nameOfTemporary, temporaryName } from './names.ts'

export interface ReplicaFolder {
  readonly name: string
  readonly folder: string
  pathOf(file: string): string
  /** Why the replica cannot be used now, as a sentence; undefined when it can. Makes the folder at its first use. */
  problem(): Promise<string | undefined>
  /** Bytes that may still be written; undefined when the disk does not say. */
  freeBytes(): Promise<number | undefined>
  /** The files in it, whether the catalogue knows them or not; neither folders nor names that begin with a dot, which no
   *  file of the archive has. */
  list(): Promise<string[]>
  /** The files whose copies were interrupted, as far as their temporary files are still there. */
  leftovers(): Promise<string[]>
  /** Removes the temporary file of an interrupted copy. */
  removeLeftover(file: string): Promise<void>
}

/** What the catalogue expects to be in the replica. */
export interface Expectation {
  any(): boolean
  holds(name: string): boolean
}

export function replicaFolder(
  world: World,
  place: { name: string; folder: string },
  expected: Expectation,
): ReplicaFolder {
  const { disk } = world
  const { name, folder } = place
  let looking: Promise<string | undefined> | undefined
  return {
    name,
    folder,
    pathOf: (file) => join(folder, file),
    problem() {
      // Asked by several at once, it is looked for once: the first look may write the mark.
      looking ??= said(name, () => look(disk, place, expected)).finally(() => (looking = undefined))
      return looking
    },
    freeBytes: () => disk.freeBytes(folder).catch(undefinedOnFault),
    list: async () => (await disk.list(folder)).filter(isVisibleFile).map((entry) => entry.name),
    // A folder that is gone, or only lets itself be read, keeps them, and every upload to it says so.
    async leftovers() {
      const entries = (await disk.list(folder).catch(undefinedOnFault)) ?? []
      return entries.flatMap((entry) => nameOfTemporary(entry.name) ?? [])
    },
    removeLeftover: (file) => disk.remove(join(folder, temporaryName(file))).catch(undefinedOnFault),
  }
}

async function look(
  disk: Disk,
  place: { name: string; folder: string },
  expected: Expectation,
): Promise<string | undefined> {
  const { name, folder } = place
  const entry = await disk.stat(folder)
  if (!entry && expected.any()) return `the folder ${folder} of replica ${name} is not there: connect its drive`
  if (!entry) await disk.makeFolder(folder)
  else if (entry.kind !== 'folder') return `${folder}, the folder of replica ${name}, is a file`
  const marked = await markOf(disk, folder)
  if (marked === name) return undefined
  if (marked !== undefined) return `${folder} is marked as replica ${marked}, not ${name}: check the settings`
  if (expected.any() && !(await isRecognised(disk, folder, expected)))
    return `${folder} holds nothing of replica ${name}: connect its drive, or put a file ${markName} with the text ${name} into it`
  await disk.write(join(folder, markName), Buffer.from(`${name}\n`))
  return undefined
}

async function markOf(disk: Disk, folder: string): Promise<string | undefined> {
  try {
    return Buffer.from(await disk.read(join(folder, markName), 1_000))
      .toString('utf8')
      .trim()
  } catch (error) {
    if (error instanceof DiskFault && error.code === 'absent') return undefined
    throw error
  }
}

async function isRecognised(disk: Disk, folder: string, expected: Expectation): Promise<boolean> {
  const entries = await disk.list(folder)
  return entries.slice(0, recognitionCountMax).some(({ name }) => expected.holds(name))
}

function isVisibleFile(entry: { name: string; kind: string }): boolean {
  return entry.kind === 'file' && !entry.name.startsWith('.')
}

async function said(name: string, act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return `replica ${name} cannot be used: ${error.message}`
  }
}

function undefinedOnFault(error: unknown): undefined {
  if (!(error instanceof DiskFault)) throw error
  return undefined
}
