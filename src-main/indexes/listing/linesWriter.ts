/** Writes the index lines of a selection to a file, from its database of captures. */
import type { World } from '../../world/world.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import type { Builds } from '../build/builds.ts'
import { withDatabase } from '../build/withDatabase.ts'
import type { MissingFile } from '../lines/captureLines.ts'
import type { LinesInput, LinesReport } from './writeLines.thread.ts'

/** What is written where. */
export interface LinesAsked extends Omit<LinesInput, 'database'> {
  selection: Selection
  signal: AbortSignal
  onProgress: (progress: LinesReport) => void
}

/** What was written, and the files that could not be read. */
export interface WrittenLines extends LinesReport {
  filesMissing: readonly MissingFile[]
}

interface Parts {
  world: World
  archive: Pick<Archive, 'everything' | 'selected'>
  builds: Pick<Builds, 'of' | 'countUse'>
  /** Aborted when the indexes are closed. */
  closed: AbortSignal
}

/** Returns the function that writes. It rejects with `DiskFault`, with the signal's reason, and as `builds.of`. */
export function linesWriter({ world, archive, builds, closed }: Parts): (asked: LinesAsked) => Promise<WrittenLines> {
  return async ({ selection, signal: asked, onProgress, ...input }) => {
    const signal = AbortSignal.any([asked, closed])
    const selected = selection.all === true ? await archive.everything() : archive.selected(selection)
    signal.throwIfAborted()
    return withDatabase(builds, { selection, selected, signal }, async (database, filesMissing) => {
      const module = new URL('./writeLines.thread.ts', import.meta.url)
      const options = { signal, onReport: onProgress }
      const written = await world.threads.run<LinesInput, LinesReport, LinesReport>(
        module,
        { database, ...input },
        options,
      )
      return { ...written, filesMissing }
    })
  }
}
