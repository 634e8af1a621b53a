/** Reads the titles of some captures, beside whoever answers a browser meanwhile. */
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { DiskFault, type Task, type World } from '../../world/world.ts'
import { openFiles } from '../records/openFiles.ts'
import { titleOf } from './titles.ts'

export interface TitlesInput {
  captures: readonly (IndexedCapture | undefined)[]
  /** Of a copy of each file; of one that is not here no replica gives any. */
  paths: ReadonlyMap<string, string>
}

/** What a revisit stands for is given in its place. */
const index = { originals: () => ({ found: [], named: 'unsaid' as const }) }

/** In the order of the captures. */
export const task: Task<TitlesInput, (string | null)[]> = async ({ world, signal }, { captures, paths }) => {
  const archive = {
    openFile: (name: string) => opened(world, paths.get(name)),
    file: (name: string) => (paths.has(name) ? { job: null } : undefined),
  }
  const files = openFiles(archive, world)
  const titles: (string | null)[] = []
  try {
    for (const capture of captures) {
      signal.throwIfAborted()
      titles.push(capture === undefined ? null : await titleOf({ files, index }, capture))
    }
  } finally {
    await files.close()
  }
  return titles
}

/** What has gone since it was asked for is as if it had never been there. */
async function opened({ disk }: World, path: string | undefined) {
  try {
    return path === undefined ? undefined : { file: await disk.openRead(path) }
  } catch (error) {
    if (error instanceof DiskFault) return undefined
    throw error
  }
}
