/** Counts captures over time in the index of a selection, in a thread. */
import type { Archive } from '../../archive/store/archive.ts'
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import type { World } from '../../world/world.ts'
import type { Builds } from '../build/builds.ts'
import { withDatabase } from '../build/withDatabase.ts'
import type { MissingFile } from '../lines/captureLines.ts'
import { keyRanges, type KeyRange } from '../model/keyRanges.ts'
import { growthPeriodsMax } from '../model/limits.ts'
import { noGrowth, type Counted, type Growth, type GrowthAsked, type GrowthInput } from './growth.ts'

/** Growth, with the files that could not be read for it. */
export interface ReportedGrowth extends Growth {
  filesMissing: readonly MissingFile[]
}

interface Parts {
  world: World
  archive: Pick<Archive, 'everything' | 'selected'>
  builds: Pick<Builds, 'of' | 'countUse'>
  /** Aborted when the indexes are closed. */
  closed: AbortSignal
}

/** Keys are printable ASCII. */
const allKeys: KeyRange = { from: '', to: '\u007f' }

/** Returns a function that counts the captures of a selection. It rejects with `Fault` refused if there are more than `growthPeriodsMax`
 *  periods, and otherwise as `captureIndexFor`. */
export function growthReader({ world, archive, builds, closed }: Parts) {
  return async ({
    selection,
    signal: asked,
    domain,
    ...wanted
  }: GrowthAsked & { selection: Selection; signal: AbortSignal }): Promise<ReportedGrowth> => {
    const signal = AbortSignal.any([asked, closed])
    const selected = selection.all === true ? await archive.everything() : archive.selected(selection)
    signal.throwIfAborted()
    if (selection.all === true && selected.files.length === 0) return { ...noGrowth, filesMissing: [] }
    return withDatabase(builds, { selection, selected, signal }, async (database, filesMissing) => {
      const ranges = domain === undefined ? [allKeys] : keyRanges(`http://${domain}/`, 'domain')
      const module = new URL('./growth.thread.ts', import.meta.url)
      const input = { database, ranges, ...wanted }
      const counted = await world.threads.run<GrowthInput, Counted>(module, input, { signal })
      if (counted) return { ...counted, filesMissing }
      throw new Fault('refused', message('index.growth.periods', { max: growthPeriodsMax }), { fields: [['period']] })
    })
  }
}
