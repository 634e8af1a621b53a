/** Where a replica has the bytes of a file, whatever the catalogue knows of it. */
import type { Archive } from '../../archive/store/archive.ts'
import type { World } from '../../world/world.ts'

export interface CopyInReplica {
  path: string
  bytes: number
}

/** Of the first replica that has it; undefined: none that can be reached has the bytes. */
export async function copyInReplica(
  { world, archive }: { world: Pick<World, 'disk'>; archive: Pick<Archive, 'places'> },
  name: string,
): Promise<CopyInReplica | undefined> {
  for (const place of archive.places) {
    const path = place.pathOf(name)
    const found = path === undefined ? undefined : await world.disk.stat(path)
    if (path !== undefined && found?.kind === 'file') return { path, bytes: found.bytes }
  }
  return undefined
}
