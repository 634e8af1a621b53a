/** Misses that were noticed while browsing. A view may show several jobs: a URL is missing from those that captured the page that wanted
 *  it. Where none is known to have captured the page, it is missing from every job that was chosen. A view of the whole archive chooses none. */
import type { Fate } from '../../crawl/jobs/fates.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { ViewedSelection, WrittenMiss } from '../../viewer/viewer.ts'
import { missNoter, type Noticed } from './noteMiss.ts'
import { isHarvestable, requestReasonIn } from './missReason.ts'

/** What misses are noted with. */
export interface BrowsedParts {
  store: Store
  jobs: Pick<Jobs, 'known' | 'fateOf' | 'capturedIn'>
  /** The selection of a view. */
  selectionOf: (view: number) => ViewedSelection | undefined
  /** Numbers of all jobs with files. */
  jobsWithFiles: () => readonly number[]
}

/** Returns the function that the viewer calls with each batch. A request that a job could have answered, in another view, is not missing
 *  from it. */
export function browsedMisses({
  store,
  jobs,
  selectionOf,
  jobsWithFiles,
}: BrowsedParts): (all: readonly WrittenMiss[]) => void {
  const note = missNoter(store)

  function jobsLacking(selection: ViewedSelection | undefined, page: string): readonly number[] {
    if (selection === undefined) return []
    const viewed = selection.all ? jobsWithFiles() : selection.jobs
    const owners = page === '' ? [] : jobs.capturedIn(page, viewed)
    return owners.length > 0 || selection.all ? owners : viewed
  }

  return (all) => {
    // A batch has many misses of few pages, views and jobs.
    const selectionIn = remembered(selectionOf)
    const ownersOf = remembered((view: number) => remembered((page: string) => jobsLacking(selectionIn(view), page)))
    const kindOf = remembered((job: number) => jobs.known(job)?.kind)
    const noticed = all.flatMap(({ view, page, resourceType: type, method, ...miss }) => {
      const selection = selectionIn(view)
      const isInView = (job: number) =>
        selection !== undefined && (selection.all || [...selection.jobs, ...selection.overlays].includes(job))
      return ownersOf(view)(page).flatMap((job): Noticed[] => {
        const kind = kindOf(job)
        const fate: Fate = jobs.fateOf(job, miss.url)
        if (kind === undefined || (fate.is === 'captured' && isHarvestable(method))) return []
        const reason = requestReasonIn(method, fate, kind)
        // What a patch job has captured is missing again only where that job was shown, too.
        const isMissedAgain = (patchJob: number | null) => patchJob === null || isInView(patchJob)
        return [{ ...miss, job, page, type, source: 'browsing', reason, isMissedAgain }]
      })
    })
    note(noticed)
  }
}

/** Calls a function once for each value. */
function remembered<Asked, Answer>(answer: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const known = new Map<Asked, Answer>()
  return (asked) => {
    if (!known.has(asked)) known.set(asked, answer(asked))
    return known.get(asked) as Answer
  }
}
