/** Finds a copy of a file in a replica, regardless of the catalogue. */
import type { Archive } from '../../archive/store/archive.ts'
import type { World } from '../../world/world.ts'

/** A copy in a replica. */
export interface CopyInReplica {
  path: string
  bytes: number
}

/** The copy of the first replica that has the file; undefined if no reachable replica has it. */
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
