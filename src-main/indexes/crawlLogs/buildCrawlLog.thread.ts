/** Builds the database of a job's crawl logs. Index lines give the positions of the logs, so nothing else of the archive
 *  files is read. At most one chunk of a log and `logLinesAtOnce` parsed lines are in memory. */
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { parseCrawlLogLine, type CrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import { openDerived, openScratch, type Store } from '../../storage/storage.ts'
import type { Task, World } from '../../world/world.ts'
import { buildCrawlLogStatements, crawlLogSchema, lineKey, type CrawlLogManifest } from './crawlLogIndex.sql.ts'
import { logLinesAtOnce } from '../model/limits.ts'
import { logKindOf, logUrlPart, readLog, type LogPlace } from '../logs/logRecords.ts'
import { withStore } from '../databases/withStore.ts'

/** The crawl logs of one job. */
export interface CrawlLogInput {
  /** Path of the database, which is created. */
  database: string
  /** Archive files with the paths of their index lines and of a copy. `path` undefined: no replica provides the file. */
  files: { name: string; lines: string; path: string | undefined }[]
  /** Files without index lines. */
  filesUnread: string[]
}

export const task: Task<CrawlLogInput, void> = async ({ world, signal }, { database, files, filesUnread }) => {
  const manifest = await withStore(openScratch(database, crawlLogSchema), async (store) => {
    const reading = new Reading({ world, store, signal, filesUnread })
    for (const file of files) await reading.addFile(file)
    buildCrawlLogStatements(store).addIndex.run({})
    return reading.manifest
  })
  // Written last and synced: a database with a manifest is complete.
  await withStore(openDerived(database, crawlLogSchema), (store) => {
    const { filesUnread: unread, ...counts } = manifest
    buildCrawlLogStatements(store).addManifest.run({ ...counts, filesUnread: JSON.stringify(unread) })
  })
}

/** What the lines of a job are read with. */
interface Given {
  world: World
  store: Store
  signal: AbortSignal
  filesUnread: string[]
}

/** Reads the logs of the files in order into the database. */
class Reading {
  readonly manifest: CrawlLogManifest
  readonly #given: Given
  readonly #addLine: ReturnType<typeof buildCrawlLogStatements>['addLine']
  #batch: CrawlLogLine[] = []

  constructor(given: Given) {
    this.#given = given
    this.manifest = { logs: 0, linesUnread: 0, filesUnread: [...given.filesUnread] }
    this.#addLine = buildCrawlLogStatements(given.store).addLine
  }

  async addFile({ name, lines, path }: CrawlLogInput['files'][number]): Promise<void> {
    let isWhole = true
    for (const place of await this.#placesIn(lines))
      isWhole = path !== undefined && (await this.#addLog({ ...place, path })) && isWhole
    if (!isWhole) this.manifest.filesUnread.push(name)
    this.#flush()
  }

  async #placesIn(lines: string): Promise<LogPlace[]> {
    const places: LogPlace[] = []
    const file = await this.#given.world.disk.openRead(lines)
    try {
      for await (const read of linesOf(file)) {
        this.#given.signal.throwIfAborted()
        for (const line of read) {
          if (!line.includes(logUrlPart) || isCdxjHeader(line)) continue
          const capture = parseCdxjLine(line)
          if (capture && logKindOf(capture.url) === 'crawlLog') places.push({ kind: 'crawlLog', ...capture })
        }
      }
    } finally {
      await file.close()
    }
    return places
  }

  /** Adds the lines of a log. Returns whether it was read completely. */
  async #addLog(place: LogPlace & { path: string }): Promise<boolean> {
    const log = readLog(this.#given, place)
    // Empty logs are not counted: Loupe writes one per job, also for imports, which fetch nothing.
    let isEmpty = true
    for await (const { text, cut } of log.lines) {
      if (isEmpty) this.manifest.logs += 1
      isEmpty = false
      this.#add(text, cut)
    }
    return log.isWhole
  }

  #add(text: string, isCut: boolean): void {
    if (text.trim() === '') return
    const { line } = isCut ? {} : parseCrawlLogLine(text)
    if (line === undefined) this.manifest.linesUnread += 1
    else if (this.#batch.push(line) >= logLinesAtOnce) this.#flush()
  }

  #flush(): void {
    this.#given.store.transaction(() => {
      for (const { loggedMs = null, via = null, status, url, hopPath, annotations } of this.#batch)
        this.#addLine.run({ status, url, hopPath, annotations, loggedMs, via, key: lineKey(url) })
    })
    this.#batch = []
  }
}
