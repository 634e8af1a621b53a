/** Chooses the database from which a build starts: the one with the most captures among those that contain no other files than
 *  the selected ones. An archive file never changes, so its rows are valid in any selection. */
import { join } from 'node:path'
import type { Disk } from '../../world/world.ts'
import { fileKey, keptAt, type Kept } from '../captures/manifest.ts'

/** A database from which a build starts. */
export interface Base extends Kept {
  path: string
}

/** Returns the best database in the folder; undefined when none can be used. */
export async function chooseBase(
  folder: string,
  /** `files` contains the `fileKey` of each selected file. */
  { set, files, disk }: { set: string; files: ReadonlySet<string>; disk: Disk },
): Promise<Base | undefined> {
  let best: Base | undefined
  for (const { name } of await disk.list(folder)) {
    if (!name.endsWith('.db')) continue
    const path = join(folder, name)
    const kept = await keptAt(path, disk)
    if (kept === undefined || kept.captures === 0) continue
    if (!kept.manifest.files.every((file) => files.has(fileKey(file)))) continue
    // Of two databases with equally many captures the one of the same selection is taken: it may be complete already, if
    // some files still cannot be read.
    const isSameSet = name.startsWith(`${set}.`)
    if (best === undefined || kept.captures > best.captures || (kept.captures === best.captures && isSameSet))
      best = { ...kept, path }
  }
  return best
}
