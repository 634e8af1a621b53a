/** What the crawl logs say that lie in the archive as records of imported jobs (`metadata://<organisation>/crawl/logs/crawl.log?…`, as
 *  NetarchiveSuite keeps them). Made into a database for each job when somebody first asks (`crawl-log/<job>.<files>.db`), in a
 *  thread, one job at a time; whoever asks waits no longer than a moment, and hears it when he asks again. */
import { basename, join } from 'node:path'
import { canonicaliserVersion } from '../formats/cdx/canonicaliser.ts'
import type { CrawlLogLine } from '../formats/logs/crawlLog.ts'
import { openDerived, StorageFault, type Store } from '../storage/storage.ts'
import { DiskFault, type World } from '../world/world.ts'
import type { CrawlLogInput } from './buildCrawlLog.thread.ts'
import { captureLines, filesOfJobs, type LineParts } from './captureLines.ts'
import { crawlLogSchema, crawlLogStatements, lineKey, type CrawlLogManifest } from './crawlLogIndex.sql.ts'
import { filesName } from './jobSet.ts'
import { letGo } from './keeping.ts'
import { removeBegun, removeDatabase, removeOthers } from './leftovers.ts'
import { crawlLogMsMax } from './limits.ts'
import { withStore } from './withStore.ts'

export type SaidOfUrl =
  | { kind: 'line'; line: CrawlLogLine }
  /** The logs do not name it, as far as they could be read. */
  | ({ kind: 'unnamed' } & Pick<CrawlLogManifest, 'linesUnread' | 'filesUnread'>)
  /** There is no log; `filesUnread`: it may be in one of these. */
  | ({ kind: 'noLog' } & Pick<CrawlLogManifest, 'filesUnread'>)
  /** It is still being read: ask again. */
  | { kind: 'reading' }
  | { kind: 'failed'; why: string }

export interface CrawlLogs {
  said(job: number, url: string): SaidOfUrl
  close(): void
}

export interface CrawlLogParts {
  /** `<archive>/indexes/crawl-log`. */
  folder: string
  lines: LineParts
  bytesMax: () => number
  /** Of whatever makes index lines now: what it makes is not made twice. */
  linesMade: () => Promise<unknown>
  signal: AbortSignal
}

/** Changes with the tables of the database and with what is read of a line. */
const databaseVersion = 'crawl log 1'

type Made = { path: string } | { why: string }

interface Reader {
  said(url: string): SaidOfUrl
  close(): void
}

export function openCrawlLogs(parts: CrawlLogParts) {
  const { folder, lines, bytesMax, linesMade, signal } = parts
  const { world } = lines
  const used = new Map<string, number>()
  /** How many read it. */
  const readers = new Map<string, number>()
  /** Those that lack something are made anew by the next Loupe, and not whenever somebody asks. */
  const tried = new Set<string>()
  const making = new Map<number, Promise<Made>>()
  let last: Promise<unknown> = Promise.resolve()

  async function make(job: number): Promise<Made> {
    const files = filesOfJobs(lines, [job])
    const set = String(job)
    const name = `${set}.${filesName([databaseVersion, canonicaliserVersion, ...files.map((file) => file.name)])}.db`
    const path = join(folder, name)
    const kept = await keptAt(world, path)
    used.set(name, world.clock.now())
    if (kept && (kept.filesUnread.length === 0 || tried.has(name))) return { path }
    await linesMade()
    const database = join(folder, `${set}.${world.chance.uuid()}.part`)
    try {
      await world.threads.run<CrawlLogInput, void>(
        new URL('./buildCrawlLog.thread.ts', import.meta.url),
        { database, ...(await toRead(files)) },
        { signal },
      )
      await removeDatabase(path, world.disk)
      await world.disk.rename(database, path)
    } finally {
      await removeBegun([database], world.disk)
    }
    tried.add(name)
    await removeOthers({ folder, set, kept: name, disk: world.disk })
    await letGo({
      folder,
      disk: world.disk,
      used,
      bytesMax: bytesMax(),
      isInUse: (each) => readers.has(each),
      isNamed: () => false,
    })
    return { path }
  }

  async function toRead(wanted: ReturnType<typeof filesOfJobs>): Promise<Pick<CrawlLogInput, 'files' | 'filesUnread'>> {
    const { files, filesMissing } = await captureLines(lines, wanted, { signal })
    const placed = files.map(async ({ name, lines: at }) => ({
      ...{ name, lines: at },
      path: (await lines.archive.pathOfFile(name))?.path,
    }))
    return { files: await Promise.all(placed), filesUnread: filesMissing.map(({ name }) => name) }
  }

  /** Rejects only with what is a bug; that there is no room, say, is told. */
  function made(job: number): Promise<Made> {
    const begun = making.get(job)
    if (begun) return begun
    const made = last
      .then(() => make(job))
      .catch((error: unknown): Made => {
        if (!signal.aborted && !isFault(error)) throw error
        return { why: error instanceof Error ? error.message : String(error) }
      })
      .finally(() => making.delete(job))
    making.set(job, made)
    last = made.catch(() => undefined)
    return made
  }

  function reader(path: string): Reader {
    const name = basename(path)
    const store = openDerived(path, crawlLogSchema)
    readers.set(name, (readers.get(name) ?? 0) + 1)
    return {
      said: saidIn(store),
      close() {
        store.close()
        const others = (readers.get(name) ?? 1) - 1
        if (others === 0) readers.delete(name)
        else readers.set(name, others)
      },
    }
  }

  return {
    async read(jobs: readonly number[]): Promise<CrawlLogs> {
      const found = await withinMoment(world, jobs.map(made))
      const opened = new Map(
        jobs.map((job, at) => {
          const each = found[at]
          return [job, each && 'path' in each ? reader(each.path) : each] as const
        }),
      )
      return {
        said(job, url) {
          const each = opened.get(job)
          if (each === undefined) return { kind: 'reading' }
          return 'why' in each ? { kind: 'failed', why: each.why } : each.said(url)
        },
        close() {
          for (const each of opened.values()) if (each && 'close' in each) each.close()
        },
      }
    },
    /** Nothing is written any more. */
    over: () => last,
  }
}

/** Undefined: there is none, it is not whole, or it is damaged. */
async function keptAt(world: World, path: string): Promise<CrawlLogManifest | undefined> {
  if (!(await world.disk.stat(path))) return undefined
  try {
    return await withStore(openDerived(path, crawlLogSchema), manifestIn)
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'damaged') return undefined
    throw error
  }
}

function manifestIn(store: Store): CrawlLogManifest | undefined {
  const row = crawlLogStatements(store).manifest.get({})
  return row && { ...row, filesUnread: JSON.parse(row.filesUnread) as string[] }
}

function saidIn(store: Store): Reader['said'] {
  const { line } = crawlLogStatements(store)
  const { logs = 0, linesUnread = 0, filesUnread = [] } = manifestIn(store) ?? {}
  const silence: SaidOfUrl = logs === 0 ? { kind: 'noLog', filesUnread } : { kind: 'unnamed', linesUnread, filesUnread }
  return (url) => {
    const row = line.get({ key: lineKey(url), url })
    if (!row) return silence
    return { kind: 'line', line: { ...row, loggedMs: row.loggedMs ?? undefined, via: row.via ?? undefined } }
  }
}

/** What is there by then; undefined for the rest, which goes on. */
async function withinMoment<T>(world: World, promises: readonly Promise<T>[]): Promise<(T | undefined)[]> {
  const enough = new AbortController()
  const waited = world.clock.sleep(crawlLogMsMax, enough.signal).catch((error: unknown) => {
    if (!enough.signal.aborted) throw error
  })
  const found = promises.map((): T | undefined => undefined)
  const all = Promise.all(promises.map(async (promise, at) => void (found[at] = await promise)))
  try {
    await Promise.race([all, waited])
  } finally {
    enough.abort()
  }
  return found
}

/** A `StorageFault` of a thread comes out as an error of its name. */
function isFault(error: unknown): boolean {
  return error instanceof DiskFault || (error instanceof Error && error.name === 'StorageFault')
}
