/** A replica of files: a folder that holds a copy of every file of the archive under its name, without subfolders. Bytes are copied
 *  and read in threads (`copyFile.thread.ts`, `hashFile.thread.ts`). */
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

  /** Refuses a folder under the file's name: that it cannot be read as a file is not a disk failure. */
  async function refuseFolder(file: string): Promise<void> {
    const lies = await disk.stat(pathOf(file)).catch(undefinedOnFault)
    if (lies?.kind === 'folder') throw new ArchiveFault('refused', folderText(pathOf(file)))
  }

  /** Refuses a dangling link under the name of an absent file: it is not a copy, but the name is taken. */
  async function refuseDeadLink(file: string): Promise<void> {
    if (await disk.isTaken(pathOf(file)))
      throw new ArchiveFault('refused', `${pathOf(file)} is a link that leads nowhere, and no copy`)
  }

  async function refuseReadable(file: string): Promise<void> {
    const seen = await checksum(file).catch(unreadableOnFault)
    if (seen !== 'unreadable') throw new ArchiveFault('refused', notUnreadable(`${file} in replica ${name}`, seen))
    // When the replica is unavailable nothing can be read, which does not mean that the file is damaged.
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
        // A folder that is missing or read-only keeps its leftovers; every upload to it reports the problem.
        undefinedOnFault(error)
      }
      return names
    },
    removeLeftover: (file) => disk.remove(join(folder, temporaryName(file))).catch(undefinedOnFault),
  }
}

/** Creates a function that refuses symbolic links. A link is not a copy: its target may belong to another replica and be lost with it,
 *  or be a device that never ends. */
function linkRefusal(disk: World['disk'], folder: string): (file: string) => Promise<void> {
  let home: string | undefined
  return async (file) => {
    const real = await disk.realPath(join(folder, file))
    // The file system may store the name in a different case than the requested one.
    const isHere = () => home !== undefined && real.toLowerCase() === join(home, file).toLowerCase()
    if (isHere()) return
    // The folder itself may be a link whose target has changed.
    home = await disk.realPath(folder)
    if (!isHere())
      throw new ArchiveFault('refused', `${join(folder, file)} is a link to ${real}, and no copy: remove the link`)
  }
}

function folderText(path: string): string {
  return `${path} is a folder, and no copy`
}

/** Original name of a file in the attic; undefined when `kept` is not a name given by `setAside`. */
function nameSetAside(kept: string): string | undefined {
  return /^(.+)\.[0-9a-f]{8}(\.\d+)?$/.exec(kept)?.[1]
}

/** Replaces the checksum's first digits in the attic name of a copy that could not be read. */
const unreadEnding = 'unreadable'

/** Candidate paths for files of the same attic name: the path itself, then with the suffixes .2, .3 and so on. */
function* numbered(path: string): Generator<string> {
  yield path
  for (let number = 2; ; number += 1) yield `${path}.${number}`
}

/** First unused path among the numbered ones: the same file may have been set aside before. */
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

/** Maps a disk or archive fault to `unreadable`: the file exists and cannot be read. Rethrows other errors. */
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
