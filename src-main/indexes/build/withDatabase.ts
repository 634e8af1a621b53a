/** A complete database of captures, used outside of this thread. */
import type { Selected } from '../../archive/copies/selected.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import { unlessAborted } from '../../world/unlessAborted.ts'
import type { MissingFile } from '../lines/captureLines.ts'
import type { Builds } from './builds.ts'

/** The database that is wanted. */
export interface DatabaseWanted {
  selection: Selection
  /** The files of the selection. */
  selected: Selected
  signal: AbortSignal
}

/** Runs `act` with the path of the database of a selection, which is built if there is none, and is not evicted until `act` has ended.
 *  `filesMissing`: files that could not be read for it. Rejects with the signal's reason, and as `builds.of`. */
export async function withDatabase<T>(
  builds: Pick<Builds, 'of' | 'countUse'>,
  { selection, selected, signal }: DatabaseWanted,
  act: (database: string, filesMissing: readonly MissingFile[]) => Promise<T>,
): Promise<T> {
  const build = builds.of(selection, selected, {})
  const ends = [build.hold(signal), builds.countUse(selection)]
  try {
    const database = await unlessAborted(build.path, signal)
    return await act(database, build.manifest.filesMissing)
  } finally {
    ends.forEach((end) => end())
  }
}
