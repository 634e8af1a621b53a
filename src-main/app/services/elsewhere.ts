/** Captures of a URL outside of the present view. Captures of a harvest are in its own list of documents; those of
 *  imports and deleted jobs, and of files without a job, are looked up in capture indexes. */

import type { Archive } from '../../archive/store/archive.ts'
import { selectionOf } from '../../contract/shapes/selection.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Indexes, Source } from '../../indexes/indexes.ts'
import type { ViewerParts } from '../../viewer/viewer.ts'
import { deletedJobs } from './selecting.ts'

interface Parts {
  jobs: Pick<Jobs, 'capturedElsewhere' | 'imported' | 'exists'>
  archive: Pick<Archive, 'jobsWithFiles'>
  indexes: Pick<Indexes, 'otherCaptures'>
}

/** Number of captures offered; users would not read more. */
const offeredMax = 10

/** Returns the function with which the viewer looks for other captures of a missing URL: the newest first, at most
 *  `offeredMax`. `notSearched` names the sources without an index. */
export function elsewhereOf({ jobs, archive, indexes }: Parts): ViewerParts['otherCaptures'] {
  return async (url, viewed) => {
    const { jobs: viewedJobs, files, all } = selectionOf(viewed)
    if (all) return { captures: [], notSearched: [] }
    const others: Source[] = [...jobs.imported(), ...deletedJobs({ jobs, archive }), null]
    const sources = others.filter((source) => source === null || !viewedJobs.includes(source))
    const { captures, notSearched } = await indexes.otherCaptures({ url, sources })
    const found = [...jobs.capturedElsewhere(url, viewedJobs), ...captures]
      .filter(({ filename }) => !files.includes(filename))
      .toSorted((a, b) => b.timestampMs - a.timestampMs)
    return { captures: found.slice(0, offeredMax), notSearched }
  }
}
