/** Removes a file that an earlier start may have left. */
import type { World } from '../../world/world.ts'

/** Removes the file if it exists. */
export async function removeIfThere({ disk }: World, path: string): Promise<void> {
  if (await disk.stat(path)) await disk.remove(path)
}
