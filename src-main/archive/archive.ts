/** The archive: ground truth. Every file that Loupe keeps is registered here with its checksum and lies, under one name, in
 *  every replica. A file is never changed: `store` adds it or refuses. Deliberately not here: looking after the copies
 *  later (`preservation.ts`), what is inside a file (`formats`), and everything that can be derived from it (`indexes`). */
import { resolve } from 'node:path'
import type { ArchivedFile, ReplicaSummary } from '../contract/contract.ts'
import type { Store } from '../storage/storage.ts'
import type { ReadableFile, World } from '../world/world.ts'
import { ArchiveFault } from './archiveFault.ts'
import { archiveStatements } from './archive.sql.ts'
import { catalogue, type FilesQuery } from './catalogue.ts'
import { defaultArchiveLimits, type ArchiveLimits } from './limits.ts'
import { openCopy, openFirst, type OpenedFile } from './reading.ts'
import { replicaFolder, type ReplicaFolder } from './replicaFolder.ts'
import { storing, type FileToStore, type StoreOutcome } from './storing.ts'
import type { StoreProgress } from './upload.ts'

export interface StoreOptions {
  signal?: AbortSignal
  onProgress?: (progress: StoreProgress) => void
}

export interface ArchiveParts {
  store: Store
  world: World
  /** In the order in which they are read. */
  replicas: readonly { name: string; folder: string }[]
  limits?: Partial<ArchiveLimits>
}

export interface Archive {
  readonly places: readonly ReplicaFolder[]
  readonly limits: ArchiveLimits
  /** Registers the file and brings it into every replica. Throws `ArchiveFault` when nothing could be begun: the file is
   *  not there, the name cannot be used, or another file has it. */
  store(file: FileToStore, options?: StoreOptions): Promise<StoreOutcome>
  /** Recovery after a kill: removes unfinished temporary files and takes up the interrupted copies. What it cannot finish,
   *  because nobody knows the source any more, becomes UPLOAD_FAILED and is finished by the next `store` of the file. */
  resumeUploads(options?: { signal?: AbortSignal }): Promise<void>
  /** From the first replica that gives a good copy; undefined when none does. The caller closes the file. */
  openFile(name: string): Promise<OpenedFile | undefined>
  /** From this replica; throws `ArchiveFault` with the reason when it cannot be. The caller closes the file. */
  readableFrom(replica: string, name: string): Promise<{ file: ReadableFile; bytes: number }>
  file(name: string): ArchivedFile | undefined
  files(query: FilesQuery): { rows: ArchivedFile[]; total: number }
  /** In the order in which they were registered. */
  filesOfJob(jobId: number): ArchivedFile[]
  replicas(): Promise<ReplicaSummary[]>
  /** Calls `listener` after the state of any copy changed; returns how to stop that. */
  onChange(listener: () => void): () => void
}

/** Makes the replicas' folders that are new. A replica that cannot be reached is not fatal: `replicas` says so, and uploads
 *  to it fail until it is back. Several may read over one database (a thread each, say), only one of them may store:
 *  that is why recovery is a call of its own. */
export async function openArchive({ store, world, replicas, limits: chosen }: ArchiveParts): Promise<Archive> {
  const wrong = placesProblem(replicas)
  if (wrong !== undefined) throw new ArchiveFault('refused', wrong)
  const limits = { ...defaultArchiveLimits, ...chosen }
  const statements = archiveStatements(store)
  const places = replicas.map((place) =>
    replicaFolder(world, place, {
      any: () => statements.holdsAny.get({ replica: place.name }) !== undefined,
      holds: (name) => statements.holds.get({ replica: place.name, name }) !== undefined,
    }),
  )
  await Promise.all(places.map((place) => place.problem()))
  const listeners = new Set<() => void>()
  const onChange = () => listeners.forEach((listener) => listener())
  const stores = storing({ store, world, statements, places, limits, onChange })
  const shown = catalogue(statements)

  return {
    places,
    limits,
    store: (file, { signal = neverAborted(), onProgress = () => undefined } = {}) =>
      stores.store(file, { signal, onProgress }),
    resumeUploads: ({ signal = neverAborted() } = {}) => stores.resume(signal),
    openFile: (name) => openFirst(world, statements, places, name),
    async readableFrom(replica, name) {
      const place = places.find((known) => known.name === replica)
      if (!place) throw new ArchiveFault('notFound', `there is no replica ${replica}`)
      const opened = await openCopy(world, statements, place, name)
      if (opened instanceof ArchiveFault) throw opened
      return opened
    },
    file: shown.file,
    files: shown.files,
    filesOfJob: shown.filesOfJob,
    replicas: () => Promise.all(places.map(shown.replica)),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function placesProblem(replicas: ArchiveParts['replicas']): string | undefined {
  if (replicas.length === 0) return 'an archive needs at least one replica: name one in the settings'
  if (new Set(replicas.map(({ name }) => name)).size < replicas.length)
    return 'two replicas have the same name: check the settings'
  if (new Set(replicas.map(({ folder }) => resolve(folder))).size < replicas.length)
    return 'two replicas have the same folder, so one disk would lose both: check the settings'
  return undefined
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
