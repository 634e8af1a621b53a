/** The attic of a replica of files: a folder inside the replica's folder, so that a bad copy is moved by renaming it and its bytes are
 *  never copied. The caller confirms that the copy is bad. */
import { join } from 'node:path'
import type { Disk, World } from '../../world/world.ts'
import { hashFile } from '../files/hashing.ts'
import { atticName } from '../files/names.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import type { Kept, Wrong } from './replica.ts'

/** Replaces the checksum's first digits in the attic name of a copy that could not be read. */
const unreadEnding = 'unreadable'

/** Opens the attic in a replica's folder. Its functions reject with `DiskFault`. */
export function folderAttic(world: World, folder: string) {
  const { disk } = world
  const attic = join(folder, atticName)
  return {
    /** Moves the file under the name to the attic and returns its new path. Both folders are synced. */
    async move(file: string, wrong: Wrong): Promise<string> {
      await disk.makeFolder(attic)
      const ending = wrong === 'unreadable' ? unreadEnding : wrong.sha256.slice(0, 8)
      const kept = await freePath(disk, join(attic, `${file}.${ending}`))
      await disk.rename(join(folder, file), kept)
      await disk.syncFolder(attic)
      await disk.syncFolder(folder)
      return kept
    },
    /** Everything that was moved to the attic under the name, each read again. */
    async kept(file: string): Promise<Kept[]> {
      if (!(await disk.stat(attic))) return []
      const found = await keptUnread(disk, join(attic, `${file}.${unreadEnding}`))
      for await (const entries of disk.pages(attic)) {
        const its = entries.filter((entry) => entry.kind === 'file' && nameSetAside(entry.name) === file)
        for (const entry of its) found.push(await hashed(world, join(attic, entry.name)))
      }
      return found
    },
  }
}

async function hashed(world: World, where: string): Promise<Kept> {
  const { signal } = new AbortController()
  const found = await hashFile(world, { path: where, bytesPerSecondMax: 0 }, { signal }).catch(undefinedOnFault)
  return { where, ...(found ?? { sha256: null, bytes: null }) }
}

/** Original name of a file in the attic; undefined when `kept` is not a name given by `move`. */
function nameSetAside(kept: string): string | undefined {
  return /^(.+)\.[0-9a-f]{8}(\.\d+)?$/.exec(kept)?.[1]
}

/** Candidate paths for files of the same attic name: the path itself, then with the suffixes .2, .3 and so on. */
function* numbered(path: string): Generator<string> {
  yield path
  for (let number = 2; ; number += 1) yield `${path}.${number}`
}

/** First unused path among the numbered ones: the same file may have been set aside before. */
async function freePath(disk: Disk, path: string): Promise<string> {
  for (const candidate of numbered(path)) if (!(await disk.isTaken(candidate))) return candidate
  throw new Error('the numbers came to an end')
}

async function keptUnread(disk: Disk, path: string): Promise<Kept[]> {
  const found: Kept[] = []
  for (const where of numbered(path)) {
    if (!(await disk.isTaken(where))) break
    found.push({ where, sha256: null, bytes: null })
  }
  return found
}
