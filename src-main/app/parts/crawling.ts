/** The crawl in its thread. */
import { textOf } from '../../contract/words/render.ts'
import { join } from 'node:path'
import { openIndexRequests, runCrawl, type CrawlReport } from '../../crawl/crawl.ts'
import { message } from '../../contract/words/message.ts'
import type { Viewed } from './viewing.ts'

/** Heap up to which the thread that answers users gives memory back: that takes it a tenth of a second. */
const releasedBytesMax = 50_000_000

/** Runs the crawl until `signal` aborts, and passes its reports on: to the promises of the parts, to the log of
 *  the shell, or to subscribers. */
export function crawling(parts: Viewed, signal: AbortSignal): Promise<void> {
  const { setting, world, archiveFolder, databasePath, store, settings, places, software, signals } = parts
  const { sealingKey } = setting
  const requests = openIndexRequests(
    { store, indexes: parts.indexes, signal },
    parts.onBug((problem) => message('problem.indexing', { problem })),
  )
  requests.answer()
  const onReport = (report: CrawlReport) => {
    if (report.kind === 'settled') {
      parts.settled.resolve()
      signals.report(report)
    } else if (report.kind === 'recovered') parts.recovered.resolve()
    // This is found before any listener can subscribe to the signals.
    else if (report.kind === 'loops') parts.crawlLoops.current = report.loops
    else if (report.kind === 'resting') world.memory.release(releasedBytesMax)
    else if (report.kind === 'indexAsked') requests.answer()
    else if (report.kind === 'found') setting.onNotice?.(textOf(report.message))
    else signals.report(report)
  }
  return runCrawl(
    world,
    {
      ...{ databasePath, folder: places.folder, quarantineFolder: places.quarantineFolder },
      incomingFolder: join(archiveFolder, 'incoming'),
      user: store.user,
      replicas: settings.replicas(),
      settings: settings.crawl(),
      software,
      ...(sealingKey === undefined ? {} : { sealingKey }),
    },
    { signal, onReport },
  )
}
