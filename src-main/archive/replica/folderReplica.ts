/** A replica of files: a folder that holds a copy of every file of the archive under its name, without subfolders. Bytes are copied
 *  and read in threads (`copyFile.thread.ts`, `hashFile.thread.ts`). `folderGuards.ts` refuses links and folders, `folderAttic.ts`
 *  keeps the copies that are set aside. */
import { join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import { DiskFault, type Disk, type World } from '../../world/world.ts'
import { copyFile, hashFile } from '../files/hashing.ts'
import { recognitionCountMax } from '../files/limits.ts'
import { fetchedName, nameOfTemporary, nameProblem, temporaryName } from '../files/names.ts'
import { undefinedOnFault, undefinedWhenAbsent } from '../files/undefinedWhen.ts'
import { confirmer, refused } from './confirmWrong.ts'
import { folderAttic } from './folderAttic.ts'
import { folderFault, folderGuards, type FolderGuards } from './folderGuards.ts'
import { marked } from './mark.ts'
import type {
  Added,
  AddOptions,
  Checksum,
  ChecksumOptions,
  Expectation,
  FileToAdd,
  Held,
  Replica,
  ReplicaPlace,
  SpaceRules,
} from './replica.ts'
import { room, type Room } from './space.ts'

/** What a replica is created from. */
export interface ReplicaParts {
  world: World
  place: ReplicaPlace
  expected: Expectation
  rules: SpaceRules
}

/** Creates a replica of files over a folder. */
export function folderReplica({ world, place, expected, rules }: ReplicaParts): Replica {
  const { disk } = world
  const { name, folder } = place
  const problem = marked({ disk, place, expected, someNames: () => someNames(disk, folder) })
  const guards = folderGuards(disk, folder)
  const attic = folderAttic(world, folder)
  const { stat, checksum } = folderReader(world, folder, guards)
  const add = folderWriter({ world, folder, space: room(name, rules), problem, checksum })

  const confirm = confirmer({ name, problem, checksum })

  return {
    name,
    kind: 'files',
    folder,
    pathOf: (file) => join(folder, file),
    problem,
    freeBytes: () => freeBytesOf(disk, folder),
    async *list() {
      for await (const entries of disk.pages(folder)) {
        const files = entries.filter((entry) => entry.kind === 'file' && !entry.name.startsWith('.'))
        yield files.map((entry) => ({ name: entry.name, bytes: entry.bytes }))
      }
    },
    stat,
    add,
    checksum,
    async secure(file) {
      await disk.syncFile(join(folder, file))
      await disk.syncFolder(folder)
    },
    async open(file) {
      await guards.refuseLink(file)
      await guards.refuseFolder(file)
      return disk.openRead(join(folder, file))
    },
    async setAside(file, wrong) {
      await confirm(file, wrong)
      return attic.move(file, wrong)
    },
    kept: attic.kept,
    leftovers: () => leftoversIn(disk, folder),
    async removeLeftover(file) {
      for (const left of [temporaryName(file), fetchedName(file)])
        await disk.remove(join(folder, left)).catch(undefinedOnFault)
    },
  }
}

/** Reads the files of the folder: their size, and their checksum from all of their bytes. */
function folderReader(world: World, folder: string, guards: FolderGuards) {
  const { disk } = world
  const { refuseLink, refuseDeadLink, refuseFolder } = guards
  const pathOf = (file: string) => join(folder, file)
  return {
    async stat(file: string): Promise<Held | undefined> {
      const found = await disk.stat(pathOf(file))
      if (!found) {
        await refuseDeadLink(file)
        return undefined
      }
      if (found.kind === 'folder') throw folderFault(pathOf(file))
      await refuseLink(file)
      return { name: found.name, bytes: found.bytes }
    },
    async checksum(file: string, options: ChecksumOptions = {}): Promise<Checksum | undefined> {
      const { signal = neverAborted(), salt, onProgress, bytesPerSecondMax = 0 } = options
      const input = { path: pathOf(file), bytesPerSecondMax, ...(salt === undefined ? {} : { salt }) }
      try {
        await refuseLink(file)
        return await hashFile(world, input, { signal, ...(onProgress ? { onReport: onProgress } : {}) })
      } catch (error) {
        if (error instanceof DiskFault && error.code !== 'absent') await refuseFolder(file)
        undefinedWhenAbsent(error)
        await refuseDeadLink(file)
        return undefined
      }
    },
  }
}

interface WriterParts {
  world: World
  folder: string
  space: Room
  problem: Replica['problem']
  checksum: Replica['checksum']
}

/** Creates the function that writes a file into the folder and reads it back. */
function folderWriter({ world, folder, space, problem, checksum }: WriterParts) {
  const { disk } = world

  async function write(file: FileToAdd, options: AddOptions): Promise<Added> {
    const { signal = neverAborted(), onProgress = () => undefined, onWritten = () => undefined } = options
    const { bytesPerSecondMax = 0 } = options
    const { source, name, sha256 } = file
    const copied = await copyFile(
      world,
      { source, folder, name, sha256, bytesPerSecondMax },
      { signal, onReport: (bytes) => onProgress('copying', bytes) },
    )
    if (copied === 'occupied') return occupied(name)
    if (copied === 'changed') return refused('refused', message('replica.changedMeanwhile', { name }))
    onWritten()
    const reading = { signal, bytesPerSecondMax, onProgress: (bytes: number) => onProgress('verifying', bytes) }
    const found = await checksum(name, reading)
    return found?.sha256 === sha256 ? { kind: 'added' } : { kind: 'differs', found }
  }

  function occupied(file: string): Added {
    return { kind: 'occupied', message: message('replica.occupied', { path: join(folder, file) }) }
  }

  return async (file: FileToAdd, options: AddOptions = {}): Promise<Added> => {
    const wrong = nameProblem(file.name)
    if (wrong !== undefined) return refused('refused', message('fileName.refused', { name: file.name, problem: wrong }))
    const unusable = await problem()
    if (unusable !== undefined) return refused('unreachable', unusable)
    if (await disk.isTaken(join(folder, file.name))) return occupied(file.name)
    const taken = space.take(file.bytes, await freeBytesOf(disk, folder))
    if ('refusal' in taken) return refused('noSpace', taken.refusal)
    return write(file, options).finally(taken.giveBack)
  }
}

/** Undefined when the free space cannot be determined. */
function freeBytesOf(disk: Disk, folder: string): Promise<number | undefined> {
  return disk.freeBytes(folder).catch(undefinedOnFault)
}

/** Some names in the folder, by which it is recognised. */
async function someNames(disk: Disk, folder: string): Promise<string[]> {
  for await (const entries of disk.pages(folder)) return entries.slice(0, recognitionCountMax).map(({ name }) => name)
  return []
}

/** Names of files whose write left a temporary file. */
async function leftoversIn(disk: Disk, folder: string): Promise<string[]> {
  const names: string[] = []
  try {
    for await (const entries of disk.pages(folder))
      names.push(...entries.flatMap((entry) => nameOfTemporary(entry.name) ?? []))
  } catch (error) {
    // A folder that is missing or read-only keeps its leftovers; every upload to it reports the problem.
    undefinedOnFault(error)
  }
  return names
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
