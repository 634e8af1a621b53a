/** What jobs that are not viewed have of an address. What a harvest captured its own list knows; what was imported is looked up in
 *  indexes of captures. */
import type { Jobs } from '../crawl/crawl.ts'
import type { Indexes } from '../indexes/indexes.ts'
import type { ViewerParts } from '../viewer/viewer.ts'

interface Parts {
  jobs: Pick<Jobs, 'capturedElsewhere' | 'imported'>
  indexes: Pick<Indexes, 'elsewhere'>
}

/** To be offered: more would not be read. */
const offeredMax = 10

export function elsewhereOf({ jobs, indexes }: Parts): ViewerParts['elsewhere'] {
  return async (url, viewed) => {
    const imported = jobs.imported().filter((job) => !viewed.includes(job))
    const { captures, jobsUnknown } = await indexes.elsewhere({ url, jobs: imported })
    const all = [...jobs.capturedElsewhere(url, viewed), ...captures].toSorted((a, b) => b.timestampMs - a.timestampMs)
    return { captures: all.slice(0, offeredMax), jobsUnknown }
  }
}
