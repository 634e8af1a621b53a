/** The contract's `viewer` and `missing`: the proxy's views, and what the jobs know of each address it could not answer. */
import type { Loupe, ViewSummary } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import type { Jobs } from '../crawl/crawl.ts'
import { momentAt, type Indexes } from '../indexes/indexes.ts'
import type { OpenView, Viewer } from '../viewer/viewer.ts'

interface Parts {
  viewer: Viewer
  jobs: Jobs
}

export function viewerService({ viewer, jobs, indexes }: Parts & { indexes: Indexes }): Loupe['viewer'] {
  const summaryOf = ({ view, jobs: chosen, atMs, captures, misses, completeness }: OpenView): ViewSummary => ({
    view,
    jobs: [...chosen],
    at: timeOf(atMs),
    captures,
    filesMissing: completeness.filesMissing.map(({ name }) => name),
    seeds: [...new Set(chosen.flatMap((job) => jobs.summary(job).seeds))],
    misses,
  })
  return {
    async open({ jobs: chosen, at }) {
      for (const job of chosen) {
        const { ended, status } = jobs.summary(job)
        if (ended === null)
          throw new Fault('refused', `Job ${job} cannot be viewed yet: it is "${status}"; it can when it has ended.`)
      }
      const summary = summaryOf(await viewer.open(chosen, at === undefined ? undefined : Date.parse(at)))
      return { ...summary, url: summary.seeds[0] ?? null }
    },
    async current() {
      const view = viewer.current()
      return view ? summaryOf(view) : null
    },
    async locate({ jobs: chosen, url, at }) {
      const index = await indexes.captureIndexFor(chosen)
      try {
        const found = index.nearest({ url, moment: momentAt(at === undefined ? undefined : Date.parse(at)) })
        return found
          ? { file: found.filename, offset: found.offset, captured: new Date(found.timestampMs).toISOString() }
          : null
      } finally {
        index.close()
      }
    },
    suggest: async ({ text, limit = 20 }) =>
      (await viewer.suggest(text, limit)).map(({ url, timestampMs, status, mediaType }) => ({
        url,
        captured: new Date(timestampMs).toISOString(),
        status: status ?? 0,
        mediaType,
      })),
    captures: async ({ url }) =>
      viewer.captures(url).map((capture) => ({
        url: capture.url,
        captured: new Date(capture.timestampMs).toISOString(),
        status: capture.status ?? 0,
        mediaType: capture.mediaType,
        job: capture.job,
      })),
    answers: async ({ after = 0 }) => viewer.answers(after),
    answered: (onPayload) => viewer.onAnswer(onPayload),
  }
}

export function missingService({ viewer, jobs }: Parts): Loupe['missing'] {
  return {
    list: async ({ view }) =>
      viewer.misses(view ?? viewer.current()?.view).map((miss) => ({
        id: miss.id,
        view: miss.view,
        url: miss.url,
        referrer: miss.referrer,
        method: miss.method,
        times: miss.times,
        first: new Date(miss.firstMs).toISOString(),
        last: new Date(miss.lastMs).toISOString(),
        why: whyMissing(JSON.parse(miss.jobs) as number[], miss.url, miss.method),
      })),
    clear: async ({ view }) => ({ cleared: viewer.clearMisses(view ?? viewer.current()?.view) }),
  }

  /** The first job that knows something of it speaks. */
  function whyMissing(viewed: number[], url: string, method: string): string {
    if (method !== 'GET' && method !== 'HEAD') return `asked with ${method}, which is not harvested`
    for (const job of viewed) {
      const why = jobs.whyMissing(job, url)
      if (why !== undefined) return why
    }
    return 'never found by these jobs: no page that was fetched links to it in a way that is read'
  }
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
