/** Visits of pages, of the live web or in views of exactly one job, which no other viewing shares: what the user browses is not disturbed, and nothing is recorded as
 *  missing by the viewer itself. */
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { browserAddress } from '../../contract/text/viewerAddresses.ts'
import { enterAddress } from '../../viewer/commands/controlCommands.ts'
import type { LiveWeb } from '../../crawl/crawl.ts'
import type { Viewer } from '../../viewer/viewer.ts'
import { visitsMax } from '../model/limits.ts'
import type { PageBrowser, PageProxy, PageToVisit, Visit } from '../model/pageBrowser.ts'

type SettledVisit = Exclude<Visit, { is: 'browserEnded' }>

/** Visits pages of some jobs. */
export interface Visiting {
  visit(page: { job: number; url: string; widthPx: number }): Promise<SettledVisit>
  /** Visits a page of the live web, whose requests `answer` answers. */
  visitLive(page: { url: string; answer: LiveWeb['answer']; widthPx: number }): Promise<SettledVisit>
  close(): Promise<void>
}

/** What visits need. */
export interface VisitingParts {
  viewer: Pick<Viewer, 'openOwn' | 'leave' | 'record' | 'proxy' | 'certificate'>
  /** Absent: this shell has none. */
  openBrowser: ((proxy: PageProxy) => Promise<PageBrowser>) | undefined
}

/** Returns the browser's opener over the viewer's proxy. Throws `Fault` refused if the shell has none. */
export function browserOver({ viewer: { proxy, certificate }, openBrowser }: VisitingParts) {
  if (openBrowser === undefined) throw new Fault('refused', message('pageAudit.noBrowser'))
  return () => openBrowser({ proxyPort: proxy.port, spkiSha256: certificate.spkiSha256 })
}

/** Opens a browser, and a view for each job. Rejects with `Fault`. */
export async function openVisiting(
  parts: VisitingParts,
  { jobs, msMax, signal }: { jobs: readonly number[]; msMax: number; signal: AbortSignal },
): Promise<Visiting> {
  const { viewer } = parts
  const browser = await browserOver(parts)()
  const views = new Map<number, { user: string; password: string }>()
  const leave = () => {
    for (const { user } of views.values()) viewer.leave(user)
  }
  try {
    for (const job of new Set(jobs)) {
      const chosen = { jobs: [job], moment: { kind: 'newest' }, withinMs: undefined } as const
      const { user, password } = await viewer.openOwn(chosen, 'about:blank', { signal })
      viewer.record(false, user)
      views.set(job, { user, password })
    }
  } catch (error) {
    leave()
    throw error
  }

  async function visitOften(page: PageToVisit['page'], widthPx: number): Promise<SettledVisit> {
    for (let visits = 1; visits <= visitsMax; visits += 1) {
      const visit = await browser.visit({ page, widthPx, msMax }, signal)
      if (visit.is !== 'browserEnded') return visit
    }
    return { is: 'failed', failure: 'crashed' }
  }

  return {
    async visit({ job, url, widthPx }) {
      const credentials = views.get(job)
      if (credentials === undefined) throw new Error(`job ${job} has no view`)
      return visitOften({ is: 'archived', enter: enterAddress(browserAddress(url)), ...credentials }, widthPx)
    },
    visitLive: ({ url, answer, widthPx }) => visitOften({ is: 'live', url, answer }, widthPx),
    async close() {
      leave()
      await browser.close()
    },
  }
}
