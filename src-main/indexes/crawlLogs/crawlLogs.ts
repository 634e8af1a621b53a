/** Crawl logs in records of imported and deleted jobs (`metadata://<organisation>/crawl/logs/crawl.log?…`, as in
 *  NetarchiveSuite). For an imported job they are in its content files, for a deleted one also in the metadata that Loupe
 *  wrote. On first use a thread builds a database per job (`crawl-log/<job>.<files>.db`), one job at a time. Callers wait at
 *  most `crawlLogMsMax` and get the result when they call again. */
import type { Message } from '../../contract/words/message.ts'
import { openDerived } from '../../storage/storage.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { World } from '../../world/world.ts'
import { withStore } from '../databases/withStore.ts'
import type { FromLinesParts } from '../lines/captureLines.ts'
import { crawlLogMsMax, logLookupsAtOnce } from '../model/limits.ts'
import { crawlLogSchema, crawlLogStatements, lineKey, type CrawlLogManifest, type LoggedLine } from './crawlLogIndex.sql.ts' // prettier-ignore
import { manifestIn, openLogBuilds, type LogsAsked } from './logBuilds.ts'

export type UrlInLogs =
  | { kind: 'line'; line: LoggedLine }
  /** The readable part of the logs does not contain the URL. */
  | ({ kind: 'unnamed' } & Pick<CrawlLogManifest, 'linesUnread' | 'filesUnread'>)
  /** There is no log, unless it is in one of the files in `filesUnread`. */
  | ({ kind: 'noLog' } & Pick<CrawlLogManifest, 'filesUnread'>)
  /** The log is still being read. Call again later. */
  | { kind: 'reading' }
  | { kind: 'failed'; why: Message }

/** The crawl logs of some jobs. */
export interface CrawlLogs {
  /** Looks up URLs and returns results in their order. Other requests get a turn in between. */
  lookUp(job: number, urls: readonly string[]): Promise<UrlInLogs[]>
  close(): void
}

/** Provides crawl logs. None is read yet. */
export function openCrawlLogs(parts: FromLinesParts) {
  const { world } = parts.lines
  const builds = openLogBuilds(parts)
  return {
    /** Finds or builds the databases of jobs, and waits for them at most `crawlLogMsMax`. The caller closes the result. */
    async read(asked: readonly LogsAsked[]): Promise<CrawlLogs> {
      const leaves = asked.map(({ job }) => builds.countUse(job))
      const close = () => leaves.forEach((leave) => leave())
      try {
        const found = await withinTimeLimit(world, asked.map(builds.database))
        const byJob = new Map(asked.map(({ job }, at) => [job, found[at]]))
        return {
          async lookUp(job, urls) {
            const database = byJob.get(job)
            if (database === undefined) return urls.map(() => ({ kind: 'reading' }))
            const result =
              'path' in database ? await foundIn(world, database.path, urls).catch(builds.refusalOf) : database
            return Array.isArray(result) ? result : urls.map(() => ({ kind: 'failed', ...result }))
          },
          close,
        }
      } catch (error) {
        close()
        throw error
      }
    },
    isUsed: builds.isUsed,
    get isBuilding() {
      return builds.isBuilding
    },
    /** Resolves when nothing is being written. */
    over: builds.over,
  }
}

/** Looks URLs up in one database, which is open only meanwhile. */
function foundIn(world: World, path: string, urls: readonly string[]): Promise<UrlInLogs[]> {
  return withStore(openDerived(path, crawlLogSchema), async (store) => {
    const { line } = crawlLogStatements(store)
    const manifest = manifestIn(store)
    // It was deleted since it was found, and the next call builds it.
    if (manifest === undefined) return urls.map(() => ({ kind: 'reading' }))
    const { logs, linesUnread, filesUnread } = manifest
    const absent: UrlInLogs =
      logs === 0 ? { kind: 'noLog', filesUnread } : { kind: 'unnamed', linesUnread, filesUnread }
    const results: UrlInLogs[] = []
    for (const url of urls) {
      if (results.length % logLookupsAtOnce === logLookupsAtOnce - 1) await world.clock.sleep(0)
      const row = line.get({ key: lineKey(url), url })
      const found = row && { ...row, loggedMs: row.loggedMs ?? undefined, via: row.via ?? undefined }
      results.push(found ? { kind: 'line', line: found } : absent)
    }
    return results
  })
}

/** Results available within `crawlLogMsMax`. Undefined for the others, which continue. */
async function withinTimeLimit<T>(world: World, promises: readonly Promise<T>[]): Promise<(T | undefined)[]> {
  const enough = new AbortController()
  const waited = sleepUnlessAborted(world.clock, crawlLogMsMax, enough.signal)
  const found = promises.map((): T | undefined => undefined)
  const all = Promise.all(promises.map(async (promise, at) => void (found[at] = await promise)))
  try {
    await Promise.race([all, waited])
  } finally {
    enough.abort()
  }
  return found
}
