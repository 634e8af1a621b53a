/** The database that an index is begun with: of all there are, the one with the most captures among those that hold nothing
 *  which is not asked for. An archive file never changes, so what it has of its files is right for any selection. */
import { join } from 'node:path'
import type { Disk } from '../../world/world.ts'
import { fileKey, keptAt, type Kept } from '../captures/manifest.ts'

export interface Base extends Kept {
  path: string
}

export async function chooseBase(
  folder: string,
  /** `files`: by `fileKey`. */
  { set, files, disk }: { set: string; files: ReadonlySet<string>; disk: Disk },
): Promise<Base | undefined> {
  let best: Base | undefined
  for (const { name } of await disk.list(folder)) {
    if (!name.endsWith('.db')) continue
    const path = join(folder, name)
    const kept = await keptAt(path, disk)
    if (kept === undefined || kept.captures === 0) continue
    if (!kept.manifest.files.every((file) => files.has(fileKey(file)))) continue
    // Of two alike that of the same selection: it may be the very one, where some files still cannot be had.
    const isSameSet = name.startsWith(`${set}.`)
    if (best === undefined || kept.captures > best.captures || (kept.captures === best.captures && isSameSet))
      best = { ...kept, path }
  }
  return best
}
