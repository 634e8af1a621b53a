/** Crawl logs in records of imported and deleted jobs (`metadata://<organisation>/crawl/logs/crawl.log?…`, as in
 *  NetarchiveSuite). For an imported job they are in its content files, for a deleted one also in the metadata that Loupe
 *  wrote. On first use a thread builds a database per job (`crawl-log/<job>.<files>.db`), one job at a time. Callers wait at
 *  most `crawlLogMsMax` and get the result when they call again. */
import { basename, join } from 'node:path'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { Task } from '../../tasks/task.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { canonicaliserVersion } from '../../formats/cdx/canonicaliser.ts'
import { openDerived, StorageFault, type Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { CrawlLogInput } from './buildCrawlLog.thread.ts'
import { captureLines, lineFile, type LineFile, type LineParts } from '../lines/captureLines.ts'
import { crawlLogSchema, crawlLogStatements, lineKey, type CrawlLogManifest, type LoggedFate } from './crawlLogIndex.sql.ts' // prettier-ignore
import { buildTask, type Built, type BuildTasks } from '../databases/buildTask.ts'
import { evict } from '../databases/eviction.ts'
import { removeBegun, removeDatabase, removeOthers } from '../databases/leftovers.ts'
import { crawlLogMsMax, logLookupsAtOnce } from '../model/limits.ts'
import { filesName } from '../model/selectionName.ts'
import { countUse } from '../databases/usage.ts'
import { withStore } from '../databases/withStore.ts'

export type UrlInLogs =
  | { kind: 'line'; line: LoggedFate }
  /** The readable part of the logs does not contain the URL. */
  | ({ kind: 'unnamed' } & Pick<CrawlLogManifest, 'linesUnread' | 'filesUnread'>)
  /** There is no log, unless it is in one of the files in `filesUnread`. */
  | ({ kind: 'noLog' } & Pick<CrawlLogManifest, 'filesUnread'>)
  /** The log is still being read. Call again later. */
  | { kind: 'reading' }
  | { kind: 'failed'; why: string }

export interface LogsAsked {
  job: number
  /** For a deleted job, what Loupe knew is only in its metadata file. */
  isDeleted: boolean
}

export interface CrawlLogs {
  /** Looks up URLs and returns results in their order. Other requests get a turn in between. */
  lookUp(job: number, urls: readonly string[]): Promise<UrlInLogs[]>
  close(): void
}

export interface CrawlLogParts {
  /** `<archive>/indexes/crawl-log`. */
  folder: string
  lines: LineParts
  tasks: BuildTasks
  bytesMax: () => number
  /** Waits for index lines that are being made, so that they are not made twice. */
  linesMade: () => Promise<unknown>
  signal: AbortSignal
}

/** Changes when the tables or the stored fields change. */
const databaseVersion = 'crawl log 2'

/** One database of crawl log lines that is being built. `stopped`: the user stopped its task. */
interface LogBuild {
  files: readonly LineFile[]
  path: string
  task: Task
  stopped: AbortSignal
}

type BuiltDatabase = { path: string } | { why: string }

export function openCrawlLogs(parts: CrawlLogParts) {
  const { folder, lines, tasks, bytesMax, linesMade, signal } = parts
  const { world } = lines
  const used = new Map<string, number>()
  /** Number of users per job. */
  const users = new Map<string, number>()
  /** Incomplete databases are rebuilt once per process, not on every call. */
  const tried = new Set<string>()
  const making = new Map<number, Promise<BuiltDatabase>>()
  /** One build at a time, so a database that is ready is not held up by others. */
  const inTurn = oneAtATime()

  async function make({ job, isDeleted }: LogsAsked): Promise<BuiltDatabase> {
    const selected = lines.archive.selected({ jobs: [job] }, { withMetadata: isDeleted })
    const files = selected.files.map((file) => lineFile(lines.folder, file))
    const name = `${job}.${filesName([databaseVersion, canonicaliserVersion, ...files.map((file) => file.name)])}.db`
    const path = join(folder, name)
    const kept = await keptAt(world, path)
    used.set(name, world.clock.now())
    if (kept && (kept.filesUnread.length === 0 || tried.has(name))) return { path }
    const order = { subject: message('index.subject.crawlLog', { job }), filesTotal: files.length }
    await inTurn(() => buildTask(tasks, order, (task, stopped) => build(job, { files, path, task, stopped })))
    tried.add(name)
    return { path }
  }

  async function build(job: number, { files, path, task, stopped }: LogBuild): Promise<Built<void>> {
    const either = AbortSignal.any([signal, stopped])
    either.throwIfAborted()
    await linesMade()
    const database = join(folder, `${job}.${world.chance.uuid()}.part`)
    let missing = 0
    try {
      const input: CrawlLogInput = { database, ...(await toRead(files, either)) }
      missing = input.filesUnread.length
      await world.threads.run(new URL('./buildCrawlLog.thread.ts', import.meta.url), input, { signal: either })
      await removeDatabase(path, world.disk)
      await world.disk.rename(database, path)
    } finally {
      await removeBegun([database], world.disk)
    }
    await removeOthers({ folder, set: String(job), kept: basename(path), disk: world.disk })
    await evict({
      ...{ folder, disk: world.disk, used, bytesMax: bytesMax() },
      isInUse: (name) => users.has(name.slice(0, name.indexOf('.'))),
      isNamed: () => false,
    })
    task.progress({ filesDone: files.length - missing })
    return { result: undefined, missing }
  }

  async function toRead(
    wanted: readonly LineFile[],
    either: AbortSignal,
  ): Promise<Pick<CrawlLogInput, 'files' | 'filesUnread'>> {
    const { files, filesMissing } = await captureLines(lines, wanted, { signal: either })
    const placed = files.map(async ({ name, lines: at }) => ({
      ...{ name, lines: at },
      path: (await lines.archive.pathOfFile(name))?.path,
    }))
    return { files: await Promise.all(placed), filesUnread: filesMissing.map(({ name }) => name) }
  }

  /** Disk and storage faults and cancellation become a result. Other errors are bugs. */
  function whyNot(error: unknown): { why: string } {
    if (!(error instanceof Error) || !(signal.aborted || isFault(error))) throw error
    return { why: error.message }
  }

  function made(asked: LogsAsked): Promise<BuiltDatabase> {
    const begun = making.get(asked.job)
    if (begun) return begun
    const made = make(asked)
      .catch(whyNot)
      .finally(() => making.delete(asked.job))
    making.set(asked.job, made)
    return made
  }

  return {
    async read(asked: readonly LogsAsked[]): Promise<CrawlLogs> {
      const leaves = asked.map(({ job }) => countUse(users, String(job)))
      const close = () => leaves.forEach((leave) => leave())
      try {
        const found = await withinTimeLimit(world, asked.map(made))
        const byJob = new Map(asked.map(({ job }, at) => [job, found[at]]))
        return {
          async lookUp(job, urls) {
            const each = byJob.get(job)
            if (each === undefined) return urls.map(() => ({ kind: 'reading' }))
            const said = 'path' in each ? await lookedUpIn(world, each.path, urls).catch(whyNot) : each
            return Array.isArray(said) ? said : urls.map(() => ({ kind: 'failed', ...said }))
          },
          close,
        }
      } catch (error) {
        close()
        throw error
      }
    },
    /** Resolves when nothing is being written. */
    async over(): Promise<void> {
      await Promise.allSettled(making.values())
      await inTurn(() => undefined)
    },
  }
}

/** The manifest of a database. Undefined: it does not exist, is incomplete or damaged. */
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

/** Looks URLs up in one database, which is open only meanwhile. */
function lookedUpIn(world: World, path: string, urls: readonly string[]): Promise<UrlInLogs[]> {
  return withStore(openDerived(path, crawlLogSchema), async (store) => {
    const { line } = crawlLogStatements(store)
    const manifest = manifestIn(store)
    // It was deleted meanwhile and will be rebuilt by the next call.
    if (manifest === undefined) return urls.map(() => ({ kind: 'reading' }))
    const { logs, linesUnread, filesUnread } = manifest
    const silence: UrlInLogs =
      logs === 0 ? { kind: 'noLog', filesUnread } : { kind: 'unnamed', linesUnread, filesUnread }
    const said: UrlInLogs[] = []
    for (const url of urls) {
      if (said.length % logLookupsAtOnce === logLookupsAtOnce - 1) await world.clock.sleep(0)
      const row = line.get({ key: lineKey(url), url })
      const found = row && { ...row, loggedMs: row.loggedMs ?? undefined, via: row.via ?? undefined }
      said.push(found ? { kind: 'line', line: found } : silence)
    }
    return said
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

/** Whether an error is a fault or a stop, and no bug. A `StorageFault` of a worker thread arrives as an error with its name. */
function isFault(error: unknown): boolean {
  return (
    error instanceof DiskFault || error instanceof Fault || (error instanceof Error && error.name === 'StorageFault')
  )
}
