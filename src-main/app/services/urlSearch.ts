/** The call `urls` of the service `search`: captured URLs, from the index that the viewer reads for the same selection. */
import type { Archive } from '../../archive/store/archive.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'
import type { CapturedUrl } from '../../contract/services/search.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { partOf, type CaptureIndex, type Indexes } from '../../indexes/indexes.ts'
import type { SightFor } from '../gate/sights.ts'
import { checkSelection } from './selecting.ts'

export interface UrlSearchParts {
  sightFor: SightFor
  indexes: Pick<Indexes, 'captureIndexFor'>
  jobs: Pick<Jobs, 'known' | 'exists'>
  archive: Pick<Archive, 'hasFilesOf' | 'file' | 'jobsWithFiles' | 'namesWithoutJob'>
}

type UrlsOfIndex = Awaited<ReturnType<CaptureIndex['urls']>>['urls']

/** Makes the call. */
export function urlSearch(parts: UrlSearchParts): LoupeImplementation['search']['urls'] {
  const { indexes, archive, sightFor } = parts
  const hold = heldWhileGrowing()
  const isEmpty = () => archive.jobsWithFiles().length === 0 && archive.namesWithoutJob().length === 0

  return async ({ url, match = 'prefix', jobs, after, limit = 50, untilWhole = false }, caller) => {
    const sight = await sightFor(caller)
    const selection = jobs ? { jobs } : { all: true }
    // The viewer refuses a job that has not ended: what is listed can be opened.
    checkSelection(parts, selection, 'searched')
    if (!jobs && isEmpty()) return { urls: [], compared: 0, next: null, indexing: null, filesMissing: 0 }
    const whole = await indexes.captureIndexFor(selection, { atOnce: !untilWhole })
    const index = sight.everything ? whole : partOf(whole, sight.capture)
    try {
      const { isGrowing, progress, completeness } = index
      const found = await index.urls({ text: url, match, limit, ...(after !== undefined && { after }) })
      return {
        urls: urlsOf(found.urls),
        compared: found.keysRead,
        next: found.next ?? null,
        indexing: isGrowing ? { filesDone: progress.filesDone, filesTotal: progress.filesTotal } : null,
        filesMissing: completeness.filesMissing.length,
      }
    } finally {
      hold(whole)
    }
  }
}

function urlsOf(urls: UrlsOfIndex): CapturedUrl[] {
  return urls.map(({ key: _, firstMs, lastMs, ...url }) => {
    return { ...url, first: new Date(firstMs).toISOString(), last: new Date(lastMs).toISOString() }
  })
}

/** Returns a function that closes an index; if it is still being built, when it is complete or when another one is being built, because a
 *  build goes on only while someone has its index open. */
function heldWhileGrowing(): (index: CaptureIndex) => void {
  let held: CaptureIndex | undefined
  return (index) => {
    if (!index.isGrowing) return index.close()
    held?.close()
    held = index
    const letGo = () => {
      if (held !== index) return
      held = undefined
      index.close()
    }
    index.whole.then(letGo, letGo)
  }
}
