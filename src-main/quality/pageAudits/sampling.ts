/** Which pages of a job an audit opens: the same pages for the same request. */
import { createHash } from 'node:crypto'
import type { PageAuditRequest } from '../../contract/services/pageAudits.ts'
import type { CaptureIndex } from '../../indexes/indexes.ts'
import { matcherOf, patternOf } from '../../patterns/pattern.ts'
import { hostOf } from '../model/pathGroup.ts'

/** Chooses among the pages that the index of a job lists. `leftOut`: pages beyond that list, which is bounded. */
export async function chosenPages(
  index: Pick<CaptureIndex, 'pages' | 'pagesReplaced' | 'pagesLeftOut'>,
  request: Pick<PageAuditRequest, 'sampling' | 'pattern'>,
): Promise<{ urls: string[]; leftOut: number }> {
  await index.pagesReplaced()
  const pages = await index.pages({ text: '', limit: Number.MAX_SAFE_INTEGER })
  const urls = sampled(
    pages.map(({ url }) => url),
    request,
  )
  return { urls, leftOut: await index.pagesLeftOut() }
}

/** Returns the chosen URLs in their order. */
export function sampled(
  urls: readonly string[],
  { sampling, pattern }: Pick<PageAuditRequest, 'sampling' | 'pattern'>,
): string[] {
  const matcher = pattern === undefined ? undefined : matcherOf([patternOf(pattern)])
  const sorted = [...new Set(urls)].filter((url) => matcher?.first(url) !== undefined || !matcher).toSorted()
  if (sampling.by === 'all') return sorted
  if (sampling.by === 'first')
    return [...Map.groupBy(sorted, hostOf).values()].flatMap((ofHost) => ofHost.slice(0, sampling.pagesPerHost))
  // A digest of each URL decides: the sample does not depend on which other pages there are.
  const drawn = sorted.map((url) => ({ url, digest: digestOf(sampling.seed, url) }))
  const first = drawn.toSorted((a, b) => (a.digest < b.digest ? -1 : 1)).slice(0, sampling.pages)
  return first.map(({ url }) => url).toSorted()
}

function digestOf(seed: number, url: string): string {
  return createHash('sha256').update(`${seed} ${url}`).digest('hex')
}
