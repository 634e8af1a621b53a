/** Builds one capture index. It starts from the largest suitable database, adds the lines of each further file as soon as they
 *  exist, and gets its final name when it is complete. It can be read meanwhile: an SQLite database in WAL mode has readers
 *  next to its single writer, which is a thread. The build stops when its last holder releases it. */
import { join } from 'node:path'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { openDerived, openScratch } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { chooseBase, type Base } from './baseDatabase.ts'
import type { BuildInput, BuildReport } from './buildIndex.thread.ts'
import { captureSchema, duplicateStatements } from '../captures/captureIndex.sql.ts'
import type { BuildProgress } from '../captures/captureIndex.ts'
import { captureLines, type LineFile, type MissingFile } from '../lines/captureLines.ts'
import type { Manifest } from '../lines/completeness.ts'
import { duplicateLists } from './duplicateLists.ts'
import { Holders } from './holders.ts'
import { copyOf, emptyDatabase, isDamaged } from './unfinished.ts'
import { exchangeableStore, type ExchangeableStore } from './exchangeableStore.ts'
import { buildTask, type BuildTasks } from '../databases/buildTask.ts'
import { removeBegun, removeDatabase, removeOthers } from '../databases/leftovers.ts'
import {
  databaseName,
  fileKey,
  isSame,
  keptAt,
  manifestOf,
  manifestRows,
  type Selecting,
} from '../captures/manifest.ts'
import { selectionName } from '../model/selectionName.ts'
import { withStore } from '../databases/withStore.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import type { Task } from '../../tasks/task.ts'

/** What a build works with. */
export interface IndexBuildParts extends Selecting {
  world: World
  archive: Archive
  tasks: BuildTasks
  lineFolder: string
  captureFolder: string
  /** Files of the selection. */
  files: LineFile[]
  /** Stops the build, even if it is held. */
  signal: AbortSignal
  onProgress: ((progress: BuildProgress) => void) | undefined
  /** The index is read before it is complete. Its secondary indexes then exist from the beginning, which makes the whole build
   *  slower. */
  isReadAtOnce: boolean
  /** The build begins after this, because databases from which it could start may be evicted until then. */
  ready: Promise<unknown>
}

/** One build of a capture index. It begins when it is constructed. */
export class IndexBuild {
  /** Path of the complete database. Rejects with the error that ended the build, which may be that no one needed the index any
   *  more. */
  readonly path: Promise<string>
  readonly whole: Promise<void>
  /** Resolves when writing has ended, and unfinished files without readers were removed. */
  readonly over: Promise<void>
  readonly progress: BuildProgress
  isGrowing = true
  /** What the index covers so far. */
  manifest: Manifest
  readonly #parts: IndexBuildParts
  readonly #holders = new Holders()
  /** Aborted when the task is stopped. */
  readonly #stopped = new AbortController()
  /** Reports progress to the task. */
  #report: Task['progress'] | undefined
  readonly #signal: AbortSignal
  readonly #wanted: LineFile[]
  #begun: Promise<void>
  #base: Base | undefined
  /** Path of the database that is written. From the first added file on it contains the base. */
  #database = ''
  #isCopied = false
  /** The database is read before it is complete. */
  #isRead = false
  /** Path of the database that can be read now. */
  #readable: string | undefined
  readonly #readers = new Set<ExchangeableStore>()
  readonly #added = new Set<LineFile>()
  #pending: LineFile[] = []
  /** Chain of writes, one at a time. */
  #adding: Promise<void> = Promise.resolve()

  constructor(parts: IndexBuildParts) {
    this.#parts = parts
    this.#signal = AbortSignal.any([parts.signal, this.#holders.left, this.#stopped.signal])
    this.#wanted = parts.files
    this.progress = { filesDone: 0, filesTotal: this.#wanted.length, jobsDone: 0, captures: 0 }
    this.manifest = this.#manifestOf([])
    this.#begun = this.#begin()
    this.path = this.#make().finally(() => void (this.isGrowing = false))
    this.whole = this.path.then(() => undefined)
    // Readers of the growing index do not await its end.
    this.whole.catch(() => undefined)
    this.over = this.whole.catch(() => this.#removeBegun())
  }

  /** The build is running and can be held: a holder gets the complete index, if it succeeds. */
  get canBeHeld(): boolean {
    return this.isGrowing && !this.#signal.aborted
  }

  /** Adds a holder, which is removed by the returned function or when its signal is aborted. Without holders the build stops. */
  hold(signal: AbortSignal | undefined): () => void {
    return this.#holders.hold(signal)
  }

  /** Opens the growing index, which becomes the complete one without being opened again. Undefined: it can be read only when it
   *  is complete, because it was started without a base and without readers, or because it will be complete at once. */
  async read(signal: AbortSignal | undefined): Promise<ExchangeableStore | undefined> {
    await this.#begun
    signal?.throwIfAborted()
    if (this.#readable === undefined || !this.isGrowing || this.#isBaseWhole()) return undefined
    const reader = exchangeableStore(openDerived(this.#readable, captureSchema))
    const reading = { ...reader, close: () => void (this.#readers.delete(reader), reader.close()) }
    this.#readers.add(reader)
    return reading
  }

  async #begin(): Promise<void> {
    const { world, captureFolder, selection, isReadAtOnce, ready } = this.#parts
    this.#database = join(captureFolder, `${selectionName(selection)}.${world.chance.uuid()}.part`)
    await ready
    this.#signal.throwIfAborted()
    this.#base = await this.#findBase()
    this.#signal.throwIfAborted()
    this.#isCopied = this.#base === undefined
    const inBase = new Set(this.#base?.manifest.files.map(fileKey))
    this.#added.clear()
    for (const file of this.#wanted) if (inBase.has(fileKey(file))) this.#added.add(file)
    this.#pending = []
    this.#adding = Promise.resolve()
    this.manifest = this.#manifestOf([])
    const begun = { filesDone: this.#added.size, jobsDone: this.#jobsDone(), captures: this.#base?.captures ?? 0 }
    Object.assign(this.progress, begun)
    if (this.#base) this.#letRead(this.#base.path)
    else if (isReadAtOnce || this.#readers.size > 0) this.#letRead(emptyDatabase(this.#database))
    this.#isRead = this.#readable !== undefined
  }

  async #findBase(): Promise<Base | undefined> {
    const { world, captureFolder, selection } = this.#parts
    const wanted = manifestOf(this.#parts, { files: this.#wanted, filesMissing: [] })
    const path = join(captureFolder, databaseName(wanted))
    const kept = await keptAt(path, world.disk)
    if (kept && isSame(kept.manifest, wanted)) return { ...kept, path }
    const files = new Set(wanted.files.map(fileKey))
    return chooseBase(captureFolder, { set: selectionName(selection), files, disk: world.disk })
  }

  /** Makes the index: as a task, unless there is nothing to do because a complete database exists. */
  async #make(): Promise<string> {
    await this.#begun
    const path = this.#isBaseWhole() ? await this.#attempt() : undefined
    return path ?? this.#makeAsTask()
  }

  #makeAsTask(): Promise<string> {
    const { tasks, selection } = this.#parts
    const order = {
      subject: message('index.subject.captures', { what: selectionMessage(selection) }),
      filesTotal: this.#wanted.length,
      unneeded: this.#holders.left,
    }
    return buildTask(tasks, order, async (report, stopped) => {
      const stop = () => this.#stopped.abort(stopped.reason)
      if (stopped.aborted) stop()
      else stopped.addEventListener('abort', stop, { once: true })
      this.#report = report
      this.#reportToTask()
      let path
      while (path === undefined) path = await this.#attempt()
      this.#reportToTask()
      return { result: path, missing: this.manifest.filesMissing.length }
    })
  }

  /** Adds what the base lacks, and gives the index its name. Undefined: the base is damaged and was removed; the next attempt reads
   *  everything again. */
  async #attempt(): Promise<string | undefined> {
    await this.#begun
    try {
      const filesMissing = await this.#addFiles()
      const logsMissing = await this.#addDuplicates()
      return await this.#finish(this.#manifestOf([...filesMissing, ...logsMissing]))
    } catch (error) {
      const base = this.#isCopied ? undefined : this.#base
      if (base === undefined || !isDamaged(error)) {
        this.manifest = this.#manifestOf(this.#notAdded(error))
        throw error
      }
      await removeDatabase(base.path, this.#parts.world.disk)
      this.#begun = this.#begin()
      return undefined
    }
  }

  /** Whether the database that the build starts from is complete already. */
  #isBaseWhole(): boolean {
    return this.#base !== undefined && isSame(this.#base.manifest, this.#manifestOf([]))
  }

  #reportToTask(): void {
    const { filesDone, captures } = this.progress
    this.#report?.({ filesDone, figures: { captures } })
  }

  /** Adds the lines of each file as soon as they exist. Returns the files that could not be read. */
  async #addFiles(): Promise<MissingFile[]> {
    const { world, archive, lineFolder } = this.#parts
    const further = this.#notYet()
    const onLines = (file: LineFile) => {
      this.#signal.throwIfAborted()
      this.#pending.push(file)
      this.#adding = this.#adding.then(() => this.#addPending())
      // The result is awaited at the end.
      this.#adding.catch(() => undefined)
    }
    const options = { signal: this.#signal, onLines }
    try {
      return (await captureLines({ folder: lineFolder, world, archive }, further, options)).filesMissing
    } finally {
      await this.#adding
    }
  }

  async #addPending(): Promise<void> {
    const files = this.#pending
    if (files.length === 0) return
    this.#pending = []
    await this.#write({ files })
    for (const file of files) this.#added.add(file)
    this.progress.jobsDone = this.#jobsDone()
    this.manifest = this.#manifestOf([])
  }

  /** Adds duplicates after the captures of all files, because only then it is known which crawl log lines have records of their
   *  own. Returns files whose crawl logs could not be read completely. */
  async #addDuplicates(): Promise<MissingFile[]> {
    if (this.#added.size === 0) return []
    const path = this.#isCopied ? this.#database : (this.#base?.path ?? this.#database)
    const isOpenElsewhere = this.#isRead || !this.#isCopied
    const { logs, hasSome } = await withStore(
      (isOpenElsewhere ? openDerived : openScratch)(path, captureSchema),
      (store) => {
        const { logsUnread, any } = duplicateStatements(store)
        return { logs: logsUnread.all({}), hasSome: any.get({}) !== undefined }
      },
    )
    const lineFiles = new Map(this.#wanted.map((file) => [file.name, file]))
    const { duplicates, missing } = await duplicateLists(this.#parts, { logs, lineFiles, signal: this.#signal })
    if (duplicates.length > 0 || (hasSome && this.#isCopied)) await this.#write({ files: [], duplicates })
    return missing
  }

  async #finish(manifest: Manifest): Promise<string> {
    const { world, captureFolder, selection } = this.#parts
    this.manifest = manifest
    this.progress.jobsDone = manifest.jobsFound.length
    if (this.#base && !this.#isCopied && isSame(this.#base.manifest, manifest)) return this.#base.path
    const path = join(captureFolder, databaseName(manifest))
    // Open files cannot be renamed on every system, so readers switch to a copy, which is also more compact.
    const copy = this.#readers.size > 0 ? copyOf(this.#database) : undefined
    if (copy === undefined) this.#readable = undefined
    const whole = manifestRows({ manifest, captures: this.progress.captures })
    await this.#write({ files: [], whole, ...(copy !== undefined && { copy }) })
    await removeDatabase(path, world.disk)
    await world.disk.rename(copy ?? this.#database, path)
    if (copy !== undefined) {
      this.#letRead(path)
      await removeDatabase(this.#database, world.disk)
    }
    const kept = databaseName(manifest)
    await removeOthers({ folder: captureFolder, set: selectionName(selection), kept, disk: world.disk })
    return path
  }

  async #write(step: Pick<BuildInput, 'files' | 'duplicates' | 'whole' | 'copy'>): Promise<void> {
    const { world, onProgress } = this.#parts
    const base = this.#isCopied ? undefined : this.#base?.path
    const { filesDone, captures } = this.progress
    await world.threads.run<BuildInput, void, BuildReport>(
      new URL('./buildIndex.thread.ts', import.meta.url),
      { database: this.#database, ...(base !== undefined && { base }), isRead: this.#isRead, ...step },
      {
        signal: this.#signal,
        onReport: (added) => {
          this.progress.filesDone = filesDone + added.filesDone
          this.progress.captures = captures + added.captures
          onProgress?.({ ...this.progress })
          this.#reportToTask()
        },
      },
    )
    this.#isCopied = true
    if (base !== undefined && this.#readable === base) this.#letRead(this.#database)
  }

  async #removeBegun(): Promise<void> {
    if (this.#readers.size === 0) await removeBegun([this.#database, copyOf(this.#database)], this.#parts.world.disk)
  }

  /** Switches current and future readers to a database. */
  #letRead(path: string): void {
    this.#readable = path
    for (const reader of this.#readers) reader.exchange(openDerived(path, captureSchema))
  }

  #manifestOf(filesMissing: readonly MissingFile[]): Manifest {
    return manifestOf(this.#parts, { files: [...this.#added], filesMissing })
  }

  #jobsDone(): number {
    const waiting = new Set(this.#notYet().map(({ job }) => job))
    return this.manifest.jobsFound.filter((job) => !waiting.has(job)).length
  }

  #notYet(): LineFile[] {
    return this.#wanted.filter((file) => !this.#added.has(file))
  }

  #notAdded(error: unknown): MissingFile[] {
    const reason = message('index.failed', { problem: messageOf(error) })
    return this.#notYet().map(({ name }) => ({ name, reason }))
  }
}
