/** The crawl floor's door: jobs as people see them, and the engine that works on them in its own thread. */
import type { World } from '../world/world.ts'
import type { CrawlInput, CrawlReport } from './crawl.thread.ts'

export type { CrawlReport } from './crawl.thread.ts'
export { openJobs, restingStatuses, type JobAction, type Jobs } from './jobs.ts'
export { defaultCrawlSettings, type CrawlSettings } from './limits.ts'

/** Runs the engine until the signal is aborted; resolves when everything under way has been put down safely. */
export function runCrawl(
  world: World,
  input: CrawlInput,
  { signal, onReport }: { signal: AbortSignal; onReport: (report: CrawlReport) => void },
): Promise<void> {
  return world.threads.run<CrawlInput, void, CrawlReport>(new URL('./crawl.thread.ts', import.meta.url), input, {
    signal,
    onReport,
    lasting: true,
  })
}
