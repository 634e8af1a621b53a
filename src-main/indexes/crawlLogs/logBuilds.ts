/** Builds databases of crawl log lines (`crawl-log/<job>.<files>.db`): one per job, one at a time, each as a task. */
import { basename, join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { message, messageIn, type Message } from '../../contract/words/message.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { canonicaliserVersion } from '../../formats/cdx/canonicaliser.ts'
import { openDerived, StorageFault, type Store } from '../../storage/storage.ts'
import type { Task } from '../../tasks/task.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { buildTask, type Built } from '../databases/buildTask.ts'
import { evict } from '../databases/eviction.ts'
import { removeBegun, removeDatabase, removeOthers } from '../databases/leftovers.ts'
import { sharedBuilds } from '../databases/sharedBuilds.ts'
import { countUse } from '../databases/usage.ts'
import { withStore } from '../databases/withStore.ts'
import { captureLines, lineFile, type FromLinesParts, type LineFile, type LineParts } from '../lines/captureLines.ts'
import { filesName } from '../model/selectionName.ts'
import type { CrawlLogInput } from './buildCrawlLog.thread.ts'
import { crawlLogSchema, crawlLogStatements, type CrawlLogManifest } from './crawlLogIndex.sql.ts'

/** The job whose crawl logs are wanted. */
export interface LogsAsked {
  job: number
  /** For a deleted job, what Loupe knew is only in its metadata file. */
  isDeleted: boolean
}

/** Path of a database, or the reason why there is none. */
export type BuiltDatabase = { path: string } | Refusal
/** Why there is no database, as text for users. */
export interface Refusal {
  why: Message
}

/** The databases of crawl logs, and the builds that make them. */
export interface LogBuilds {
  /** The database of a job, built when it does not exist or when a file of it could not be read in an earlier process. */
  database(asked: LogsAsked): Promise<BuiltDatabase>
  /** Keeps the database of a job from being evicted until the returned function is called. */
  countUse(job: number): () => void
  /** Whether anyone uses the database of the job. */
  isUsed(job: number): boolean
  /** Whether any database is being built, or looked for. */
  readonly isBuilding: boolean
  /** The reason in a fault or a stop. Throws other errors, which are bugs. */
  refusalOf(error: unknown): Refusal
  /** Resolves when nothing is being written. */
  over(): Promise<void>
}

/** One database that is being built. `stopped`: aborted when the user stops its task. */
interface LogBuild {
  files: readonly LineFile[]
  path: string
  report: Task['progress']
  stopped: AbortSignal
}

/** Changes when the tables or the stored fields change. */
const databaseVersion = 'crawl log 2'

/** Makes the set of builds; none is running. */
export function openLogBuilds({ folder, lines, tasks, bytesMax, linesMade, signal }: FromLinesParts): LogBuilds {
  const { world } = lines
  /** Time of last use by file name. */
  const used = new Map<string, number>()
  /** Number of users per job. */
  const users = new Map<string, number>()
  /** Incomplete databases are rebuilt once per process, not on every call. */
  const tried = new Set<string>()
  const builds = sharedBuilds<BuiltDatabase>()

  async function make({ job, isDeleted }: LogsAsked): Promise<BuiltDatabase> {
    const selected = lines.archive.selected({ jobs: [job] }, { withMetadata: isDeleted })
    const files = selected.files.map((file) => lineFile(lines.folder, file))
    const name = `${job}.${filesName([databaseVersion, canonicaliserVersion, ...files.map((file) => file.name)])}.db`
    const path = join(folder, name)
    const kept = await keptAt(world, path)
    used.set(name, world.clock.now())
    if (kept && (kept.filesUnread.length === 0 || tried.has(name))) return { path }
    const order = { subject: message('index.subject.crawlLog', { job }), filesTotal: files.length }
    await builds.inTurn(() =>
      buildTask(tasks, order, (report, stopped) => build(job, { files, path, report, stopped })),
    )
    tried.add(name)
    return { path }
  }

  async function build(job: number, { files, path, report, stopped }: LogBuild): Promise<Built<void>> {
    const either = AbortSignal.any([signal, stopped])
    either.throwIfAborted()
    await linesMade()
    const database = join(folder, `${job}.${world.chance.uuid()}.part`)
    let missing = 0
    try {
      const input: CrawlLogInput = { database, ...(await inputFrom(lines, files, either)) }
      missing = input.filesUnread.length
      await world.threads.run(new URL('./buildCrawlLog.thread.ts', import.meta.url), input, { signal: either })
      await removeDatabase(path, world.disk)
      await world.disk.rename(database, path)
    } finally {
      await removeBegun([database], world.disk)
    }
    await removeOthers({ folder, set: String(job), kept: basename(path), disk: world.disk })
    await evict({
      ...{ folder, disk: world.disk, suffix: '.db', used, bytesMax: bytesMax() },
      isInUse: (name) => users.has(name.slice(0, name.indexOf('.'))),
      isNamed: () => false,
    })
    report({ filesDone: files.length - missing })
    return { result: undefined, missing }
  }

  function refusalOf(error: unknown): Refusal {
    if (!(error instanceof Error) || !(signal.aborted || isFault(error))) throw error
    return { why: reasonIn(error) }
  }

  return {
    database: (asked) => builds.of(String(asked.job), () => make(asked).catch(refusalOf)),
    countUse: (job) => countUse(users, String(job)),
    isUsed: (job) => users.has(String(job)),
    get isBuilding() {
      return builds.isBuilding
    },
    refusalOf,
    over: builds.over,
  }
}

/** What the thread reads: each file with its index lines, which say where its crawl logs are. */
async function inputFrom(
  lines: LineParts,
  wanted: readonly LineFile[],
  signal: AbortSignal,
): Promise<Pick<CrawlLogInput, 'files' | 'filesUnread'>> {
  const { files, filesMissing } = await captureLines(lines, wanted, { signal })
  const placed = files.map(async ({ name, lines: at }) => ({
    ...{ name, lines: at },
    path: (await lines.archive.pathOfFile(name))?.path,
  }))
  return { files: await Promise.all(placed), filesUnread: filesMissing.map(({ name }) => name) }
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

/** The manifest in an open database; undefined when it is incomplete. */
export function manifestIn(store: Store): CrawlLogManifest | undefined {
  const row = crawlLogStatements(store).manifest.get({})
  return row && { ...row, filesUnread: JSON.parse(row.filesUnread) as string[] }
}

/** What the error says to users. */
function reasonIn(error: Error): Message {
  if (error instanceof DiskFault) return diskMessage(error)
  const own = 'userMessage' in error ? messageIn(error.userMessage) : undefined
  return own ?? message('text', { text: error.message })
}

/** Whether an error is a fault or a stop, and no bug. A `StorageFault` of a worker thread arrives as an error with its name. */
function isFault(error: unknown): boolean {
  return (
    error instanceof DiskFault || error instanceof Fault || (error instanceof Error && error.name === 'StorageFault')
  )
}
