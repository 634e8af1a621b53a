/** Reads titles of captures in a worker thread, so that browsers are not kept waiting. */
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { DiskFault, type Task, type World } from '../../world/world.ts'
import { openFiles } from '../records/openFiles.ts'
import { titleOf } from './titles.ts'

/** The captures whose titles are wanted. */
export interface TitlesInput {
  captures: readonly (IndexedCapture | undefined)[]
  /** Path of one copy per file. Files without an entry cannot be read. */
  paths: ReadonlyMap<string, string>
}

/** Revisits are not resolved here: the caller passes their originals. */
const index = { originals: () => ({ found: [], named: 'noMoment' as const }) }

/** Returns titles in the order of the captures. */
export const task: Task<TitlesInput, (string | null)[]> = async ({ world, signal }, { captures, paths }) => {
  const archive = {
    openFile: (name: string) => opened(world, paths.get(name)),
    file: (name: string) => (paths.has(name) ? { job: null } : undefined),
  }
  const files = openFiles({ archive, clock: world.clock, recordCacheBytesMax: () => 0 })
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

/** A file that disappeared meanwhile counts as absent. */
async function opened({ disk }: World, path: string | undefined) {
  try {
    return path === undefined ? undefined : { file: await disk.openRead(path) }
  } catch (error) {
    if (error instanceof DiskFault) return undefined
    throw error
  }
}
