/** A replica of files: a folder on any drive that holds a copy of every file of the archive, all side by side under their
 *  names. The bytes are moved and read in threads (`copyFile.thread.ts`, `hashFile.thread.ts`). */
import { join } from 'node:path'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { copyFile, hashFile } from '../files/hashing.ts'
import { recognitionCountMax } from '../files/limits.ts'
import { atticName, nameOfTemporary, nameProblem, temporaryName } from '../files/names.ts'
import { marked } from './mark.ts'
import type { Added, AddOptions, Checksum, ChecksumOptions, Expectation, FileToAdd, Kept, Replica } from './replica.ts'
import type { ReplicaPlace, SpaceRules } from './replica.ts'
import { room } from './space.ts'
import { undefinedOnFault, undefinedWhenAbsent } from '../files/undefinedWhen.ts'

export interface ReplicaParts {
  world: World
  place: ReplicaPlace
  expected: Expectation
  rules: SpaceRules
}

export function folderReplica({ world, place, expected, rules }: ReplicaParts): Replica {
  const { disk } = world
  const { name, folder } = place
  const pathOf = (file: string) => join(folder, file)
  const problem = marked({
    disk,
    place,
    expected,
    async someNames() {
      for await (const entries of disk.pages(folder))
        return entries.slice(0, recognitionCountMax).map((entry) => entry.name)
      return []
    },
  })
  const space = room(name, rules)
  const freeBytes = () => disk.freeBytes(folder).catch(undefinedOnFault)

  const refuseLink = linkRefusal(disk, folder)

  async function checksum(file: string, options: ChecksumOptions = {}): Promise<Checksum | undefined> {
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
  }

  /** The disk that cannot read a folder as a file has not failed. */
  async function refuseFolder(file: string): Promise<void> {
    const lies = await disk.stat(pathOf(file)).catch(undefinedOnFault)
    if (lies?.kind === 'folder') throw new ArchiveFault('refused', folderText(pathOf(file)))
  }

  /** Of what is not there: a link that leads nowhere is no copy, but it is something. */
  async function refuseDeadLink(file: string): Promise<void> {
    if (await disk.isTaken(pathOf(file)))
      throw new ArchiveFault('refused', `${pathOf(file)} is a link that leads nowhere, and no copy`)
  }

  async function refuseReadable(file: string): Promise<void> {
    const seen = await checksum(file).catch(unreadableOnFault)
    if (seen !== 'unreadable') throw new ArchiveFault('refused', notUnreadable(`${file} in replica ${name}`, seen))
    // Of a replica that went away nothing can be read, and nothing is wrong with it.
    const unusable = await problem()
    if (unusable !== undefined) throw new ArchiveFault('unreachable', unusable)
  }

  async function write(file: FileToAdd, options: AddOptions): Promise<Added> {
    const { signal = neverAborted(), onProgress = () => undefined, onWritten = () => undefined } = options
    const { bytesPerSecondMax = 0 } = options
    const { source, sha256 } = file
    const outcome = await copyFile(
      world,
      { source, folder, name: file.name, sha256, bytesPerSecondMax },
      { signal, onReport: (bytes) => onProgress('copying', bytes) },
    )
    if (outcome === 'occupied') return occupied(file.name)
    if (outcome === 'changed')
      return refused('refused', `${file.name} changed while it was being copied: store it again`)
    onWritten()
    const reading = { signal, bytesPerSecondMax, onProgress: (bytes: number) => onProgress('verifying', bytes) }
    const found = await checksum(file.name, reading)
    return found?.sha256 === sha256 ? { kind: 'added' } : { kind: 'differs', found }
  }

  function occupied(file: string): Added {
    return { kind: 'occupied', text: `${pathOf(file)} exists already; it was left as it is` }
  }

  return {
    name,
    kind: 'files',
    folder,
    pathOf,
    problem,
    freeBytes,
    async *list() {
      for await (const entries of disk.pages(folder)) {
        const files = entries.filter((entry) => entry.kind === 'file' && !entry.name.startsWith('.'))
        yield files.map((entry) => ({ name: entry.name, bytes: entry.bytes }))
      }
    },
    async stat(file) {
      const found = await disk.stat(pathOf(file))
      if (!found) {
        await refuseDeadLink(file)
        return undefined
      }
      if (found.kind === 'folder') throw new ArchiveFault('refused', folderText(pathOf(file)))
      await refuseLink(file)
      return { name: found.name, bytes: found.bytes }
    },
    async add(file, options = {}) {
      const wrong = nameProblem(file.name)
      if (wrong !== undefined)
        return refused('refused', `'${file.name}' cannot be the name of a file in the archive: ${wrong}`)
      const unusable = await problem()
      if (unusable !== undefined) return refused('unreachable', unusable)
      if (await disk.isTaken(pathOf(file.name))) return occupied(file.name)
      const taken = space.take(file.bytes, await freeBytes())
      if ('refusal' in taken) return refused('noSpace', taken.refusal)
      return write(file, options).finally(taken.giveBack)
    },
    checksum,
    async secure(file) {
      await disk.syncFile(pathOf(file))
      await disk.syncFolder(folder)
    },
    async open(file) {
      await refuseLink(file)
      await refuseFolder(file)
      return disk.openRead(pathOf(file))
    },
    async setAside(file, wrong) {
      if (wrong === 'unreadable') await refuseReadable(file)
      else {
        const found = await checksum(file)
        if (found?.sha256 !== wrong.sha256)
          throw new ArchiveFault('refused', notThat(`${file} in replica ${name}`, found, wrong.sha256))
      }
      const attic = join(folder, atticName)
      await disk.makeFolder(attic)
      const ending = wrong === 'unreadable' ? unreadEnding : wrong.sha256.slice(0, 8)
      const kept = await freePath(disk, join(attic, `${file}.${ending}`))
      await disk.rename(pathOf(file), kept)
      await disk.syncFolder(attic)
      await disk.syncFolder(folder)
      return kept
    },
    async kept(file) {
      const attic = join(folder, atticName)
      if (!(await disk.stat(attic))) return []
      const found = await keptUnread(disk, join(attic, `${file}.${unreadEnding}`))
      for await (const entries of disk.pages(attic)) {
        for (const entry of entries.filter((each) => each.kind === 'file' && nameSetAside(each.name) === file)) {
          const where = join(attic, entry.name)
          const input = { path: where, bytesPerSecondMax: 0 }
          const hashed = await hashFile(world, input, { signal: neverAborted() }).catch(undefinedOnFault)
          found.push({ where, ...(hashed ?? { sha256: null, bytes: null }) })
        }
      }
      return found
    },
    async leftovers() {
      const names: string[] = []
      try {
        for await (const entries of disk.pages(folder))
          names.push(...entries.flatMap((entry) => nameOfTemporary(entry.name) ?? []))
      } catch (error) {
        // A folder that is gone, or only lets itself be read, keeps them, and every upload to it says so.
        undefinedOnFault(error)
      }
      return names
    },
    removeLeftover: (file) => disk.remove(join(folder, temporaryName(file))).catch(undefinedOnFault),
  }
}

/** Gives how to refuse a file that is a link. A link is no copy, whatever it leads to: the bytes may be those of another
 *  replica, and be lost with it; or a device, whose bytes have no end. */
function linkRefusal(disk: World['disk'], folder: string): (file: string) => Promise<void> {
  let home: string | undefined
  return async (file) => {
    const real = await disk.realPath(join(folder, file))
    // A file system may keep another case of letters than the one that is asked for.
    const isHere = () => home !== undefined && real.toLowerCase() === join(home, file).toLowerCase()
    if (isHere()) return
    // The folder itself may lead elsewhere by now.
    home = await disk.realPath(folder)
    if (!isHere())
      throw new ArchiveFault('refused', `${join(folder, file)} is a link to ${real}, and no copy: remove the link`)
  }
}

function folderText(path: string): string {
  return `${path} is a folder, and no copy`
}

/** The name from under which the file was taken that is kept as `kept` in the attic. */
function nameSetAside(kept: string): string | undefined {
  return /^(.+)\.[0-9a-f]{8}(\.\d+)?$/.exec(kept)?.[1]
}

/** Stands for the checksum's first digits in the name of a copy that could not be read. */
const unreadEnding = 'unreadable'

/** The numbers under which more of the same is kept: the first has none. */
function* numbered(path: string): Generator<string> {
  yield path
  for (let number = 2; ; number += 1) yield `${path}.${number}`
}

/** Of a path that may be taken: the same may have been set aside before. */
async function freePath(disk: World['disk'], path: string): Promise<string> {
  for (const candidate of numbered(path)) if (!(await disk.isTaken(candidate))) return candidate
  throw new Error('the numbers came to an end')
}

async function keptUnread(disk: World['disk'], path: string): Promise<Kept[]> {
  const found: Kept[] = []
  for (const where of numbered(path)) {
    if (!(await disk.isTaken(where))) break
    found.push({ where, sha256: null, bytes: null })
  }
  return found
}

/** As an answer of its own: it is there, and cannot be read. */
export function unreadableOnFault(error: unknown): 'unreadable' {
  if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
  return 'unreadable'
}

export function notUnreadable(what: string, found: Checksum | undefined): string {
  const now = found ? `can be read and has the checksum ${found.sha256}` : 'is not there'
  return `${what} ${now}: nothing was changed`
}

export function notThat(what: string, found: Checksum | undefined, sha256: string): string {
  const now = found ? `has the checksum ${found.sha256}` : 'is not there'
  return `${what} ${now}, not ${sha256}: nothing was changed`
}

export function refused(code: ArchiveFault['code'], text: string): Added {
  return { kind: 'refused', code, text }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
