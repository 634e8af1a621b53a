/** What is typed into the form that starts a page audit, and the request that it makes. Pure. */
import type { PageAuditRequest, PageSampling } from '../../../src-main/contract/services/pageAudits.ts'

export const samplings = ['all', 'first', 'random'] as const satisfies readonly PageSampling['by'][]

export interface StartDraft {
  by: (typeof samplings)[number]
  /** Per host, or of all. */
  pages: number
  seed: number
  pattern: string
  pagesAtOnce: number
  /** The number of a job, `crawlTime` or `live`. */
  compareWith: string | null
}

export function requestOf({
  by,
  pages,
  seed,
  pattern,
  pagesAtOnce,
  compareWith,
}: StartDraft): Partial<PageAuditRequest> {
  const sampling: Record<StartDraft['by'], PageSampling> = {
    all: { by: 'all' },
    first: { by: 'first', pagesPerHost: pages },
    random: { by: 'random', pages, seed },
  }
  return {
    ...{ sampling: sampling[by], pagesAtOnce },
    ...(pattern !== '' && { pattern }),
    ...(compareWith !== null && {
      compareWith: compareWith === 'crawlTime' || compareWith === 'live' ? compareWith : Number(compareWith),
    }),
  }
}
