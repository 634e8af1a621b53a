/** One capture index being made. It begins with the greatest database that is there already, takes in the lines of each
 *  further file as soon as there are some, and gets its name when it is whole. Whoever wants it at once reads it meanwhile:
 *  a database in WAL has readers beside its one writer, which is a thread. When nobody wants it any more, it ends. */
import { join } from 'node:path'
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { openDerived, openScratch } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { chooseBase, type Base } from './baseDatabase.ts'
import type { BuildInput, BuildReport } from './buildIndex.thread.ts'
import { buildStatements, captureSchema, duplicateStatements } from '../captures/captureIndex.sql.ts'
import type { BuildProgress } from '../captures/captureIndex.ts'
import { captureLines, type LineFile, type MissingFile } from '../lines/captureLines.ts'
import type { Manifest } from '../lines/completeness.ts'
import { duplicateLists } from './duplicateLists.ts'
import { exchangeableStore, type ExchangeableStore } from './exchangeableStore.ts'
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

export interface IndexBuildParts extends Selecting {
  world: World
  archive: Archive
  lineFolder: string
  captureFolder: string
  /** Of the selection. */
  files: LineFile[]
  /** It ends with it, whoever wants it. */
  signal: AbortSignal
  onProgress: ((progress: BuildProgress) => void) | undefined
  /** Somebody reads it before it is whole: what makes that quick is kept from the beginning, which takes longer in all. */
  isReadAtOnce: boolean
  /** It does not begin before: what it would begin with may be let go until then. */
  ready: Promise<unknown>
}

export class IndexBuild {
  /** Of the whole one. Rejects with what befell it, which may be that nobody wanted it any more: then it stays as it is. */
  readonly path: Promise<string>
  readonly whole: Promise<void>
  /** Nothing is written any more, and what was begun and is read by nobody is gone. */
  readonly over: Promise<void>
  readonly progress: BuildProgress
  isGrowing = true
  /** What is in it. */
  manifest: Manifest
  readonly #parts: IndexBuildParts
  /** Of each who wants it: how he leaves. */
  readonly #holders = new Set<(reason: unknown) => void>()
  readonly #left = new AbortController()
  readonly #signal: AbortSignal
  readonly #wanted: LineFile[]
  #begun: Promise<void>
  #base: Base | undefined
  /** What is written; from the first file on it holds the base. */
  #database = ''
  #isCopied = false
  /** Before it is whole. */
  #isRead = false
  /** What may be read now. */
  #readable: string | undefined
  readonly #readers = new Set<ExchangeableStore>()
  readonly #added = new Set<LineFile>()
  #pending: LineFile[] = []
  /** One writes at a time. */
  #adding: Promise<void> = Promise.resolve()

  constructor(parts: IndexBuildParts) {
    this.#parts = parts
    this.#signal = AbortSignal.any([parts.signal, this.#left.signal])
    this.#wanted = parts.files
    this.progress = { filesDone: 0, filesTotal: this.#wanted.length, jobsDone: 0, captures: 0 }
    this.manifest = this.#manifestOf([])
    this.#begun = this.#begin()
    this.path = this.#make().finally(() => void (this.isGrowing = false))
    this.whole = this.path.then(() => undefined)
    // Who reads it at once need not wait for its end.
    this.whole.catch(() => undefined)
    this.over = this.whole.catch(() => this.#removeBegun())
  }

  /** It is not at its end: who holds it now will have it whole, if that can be. */
  get canBeHeld(): boolean {
    return this.isGrowing && !this.#signal.aborted
  }

  /** Somebody wants it, until he leaves or his signal is aborted. */
  hold(signal: AbortSignal | undefined): () => void {
    const leave = (reason: unknown) => {
      signal?.removeEventListener('abort', onAbort)
      if (this.#holders.delete(leave) && this.#holders.size === 0) this.#left.abort(reason)
    }
    const onAbort = () => leave(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    this.#holders.add(leave)
    return () => leave(new Fault('stopped', 'The index is no longer needed.'))
  }

  /** As far as it is, and then the whole one, without being opened again. Undefined: it can be read only when it is whole,
   *  because it was begun from nothing for somebody who waits, or will be at once, because it was whole before. */
  async read(signal: AbortSignal | undefined): Promise<ExchangeableStore | undefined> {
    await this.#begun
    signal?.throwIfAborted()
    const wasWhole = this.#base && isSame(this.#base.manifest, this.#manifestOf([]))
    if (this.#readable === undefined || !this.isGrowing || wasWhole) return undefined
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

  async #make(): Promise<string> {
    for (;;) {
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
        // It is derived too: without it everything is read anew.
        await removeDatabase(base.path, this.#parts.world.disk)
        this.#begun = this.#begin()
      }
    }
  }

  /** The lines of each file go in as soon as they are there. Which could not be had comes back. */
  async #addFiles(): Promise<MissingFile[]> {
    const { world, archive, lineFolder } = this.#parts
    const further = this.#notYet()
    const onLines = (file: LineFile) => {
      this.#signal.throwIfAborted()
      this.#pending.push(file)
      this.#adding = this.#adding.then(() => this.#addPending())
      // It is waited for at the end.
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

  /** When the captures of all files are in, since only then it is known which lines of crawl logs have records of their own. Gives the
   *  files whose crawl logs could not be read, or not to their end. */
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
    // What is open cannot be given another name everywhere, so readers go over to a copy; it is packed more tightly, too.
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
        },
      },
    )
    this.#isCopied = true
    if (base !== undefined && this.#readable === base) this.#letRead(this.#database)
  }

  async #removeBegun(): Promise<void> {
    if (this.#readers.size === 0) await removeBegun([this.#database, copyOf(this.#database)], this.#parts.world.disk)
  }

  /** Those who read already go over to it. */
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
    const reason = `building the index failed: ${error instanceof Error ? error.message : String(error)}`
    return this.#notYet().map(({ name }) => ({ name, reason }))
  }
}

function copyOf(database: string): string {
  return database.replace(/part$/, 'copy.part')
}

/** With what is otherwise made when all is there: who reads it as it grows needs it now. */
function emptyDatabase(path: string): string {
  const store = openDerived(path, captureSchema)
  for (const index of buildStatements(store).addIndexes) index.run({})
  store.close()
  return path
}

/** A `StorageFault` of a thread comes out as an error with its code. */
function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'damaged'
}
