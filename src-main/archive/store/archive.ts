/** The archive: ground truth. Every file that Loupe keeps is registered here with its checksum and lies, under one name, in
 *  every replica. A file is never changed: `store` adds it or refuses. Deliberately not here: looking after the copies
 *  later (`preservation.ts`), what is inside a file (`formats`), and everything that can be derived from it (`indexes`). */
import type { ArchivedFile, ReplicaSummary } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { archiveStatements } from '../copies/archive.sql.ts'
import { auditTrail } from '../audit/audit.ts'
import { catalogue } from '../copies/catalogue.ts'
import { fileList, type FilesQuery, type ListedFiles } from '../copies/fileList.ts'
import { defaultArchiveLimits, replicaRetryRules, type ArchiveLimits } from '../files/limits.ts'
import { openCopy, openFirst, pathOfFirst, whyNoneGives, type OpenedFile } from './reading.ts'
import { checksumReplica } from '../replica/checksumReplica.ts'
import { folderReplica, type ReplicaParts } from '../replica/folderReplica.ts'
import { observed, type ObservedReplica } from '../replica/observed.ts'
import type { Replica, ReplicaPlace } from '../replica/replica.ts'
import { retrying } from '../replica/retrying.ts'
import { placesProblems } from '../replica/replicaPlaces.ts'
import { selectionReader, type SelectionReader } from '../copies/selected.ts'
import { storing } from './storing.ts'
import type { FileToAdopt, FileToStore, StoreOutcome } from './storingParts.ts'
import { openUnregistered, type Unregistered } from '../copies/unregistered.ts'
import type { StoreProgress } from './upload.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface StoreOptions {
  signal?: AbortSignal
  /** Restores copies of the file that were stored once and are missing, but no damaged ones. For callers that
   *  stores where repairs are done too: two must not write the same copy. */
  restoresMissing?: boolean
  onProgress?: (progress: StoreProgress) => void
}

export interface ArchiveParts {
  store: Store
  world: World
  /** In the order in which they are read. */
  replicas: readonly ReplicaPlace[]
  /** How a replica is made of its place; by its kind when absent. */
  replicaAt?: (parts: ReplicaParts) => Replica
  limits?: Partial<ArchiveLimits>
}

export interface Archive extends SelectionReader {
  readonly places: readonly ObservedReplica[]
  readonly limits: ArchiveLimits
  /** Registers the file and brings it into every replica. Throws `ArchiveFault` when nothing could be begun: the file is
   *  not there, the name cannot be used, or another file has it. */
  store(file: FileToStore, options?: StoreOptions): Promise<StoreOutcome>
  /** Registers a file that these replicas hold already, each with this checksum, as was just read. What other replicas lack is for
   *  `store`. Throws `ArchiveFault` when a file has a name that many disks take for the same. */
  adopt(file: FileToAdopt, replicas: readonly string[]): void
  /** Acts on one file's copies come one after the other, with its stores. */
  inTurn<T>(name: string, act: () => Promise<T>): Promise<T>
  /** Recovery after a kill: removes unfinished temporary files and takes up the interrupted copies. What it cannot finish,
   *  because its source is no longer known, becomes UPLOAD_FAILED and is finished by the next `store` of the file. */
  resumeUploads(options?: { signal?: AbortSignal }): Promise<void>
  /** From the first replica that gives a good copy; undefined when none does. The caller closes the file. */
  openFile(name: string): Promise<OpenedFile | undefined>
  /** Where a thread that opens the file by itself finds the copy that `openFile` would give. */
  pathOfFile(name: string): Promise<{ replica: string; path: string } | undefined>
  /** Why `openFile` would give nothing, in a sentence; undefined when it would. */
  whyNotGiven(name: string): Promise<string | undefined>
  /** From this replica; throws `ArchiveFault` with the reason when it cannot be. The caller closes the file. */
  readableFrom(replica: string, name: string): Promise<{ file: ReadableFile; bytes: number }>
  file(name: string): ArchivedFile | undefined
  /** A file with these very bytes that every replica has; looks at all files. */
  storedWithChecksum(sha256: string): ArchivedFile | undefined
  /** Those with these very bytes. */
  filesOfSha256(sha256: string): ArchivedFile[]
  /** Makes a file that belongs to no job, or to one that was deleted, a content file of this job, with an entry in the audit trail.
   *  Inside a transaction of the caller, who knows which jobs there are. */
  assignJob(taken: { name: string; job: number }): void
  /** Those that the catalogue has, in any order. */
  filesNamed(names: readonly string[]): ArchivedFile[]
  files(query: FilesQuery): ListedFiles
  /** What lies in the replicas' folders and is not in the catalogue. */
  readonly unregistered: Unregistered
  /** In the order in which they were registered. */
  filesOfJob(jobId: number): ArchivedFile[]
  /** Whether it archived anything; it may have been deleted since. */
  hasFilesOf(jobId: number): boolean
  /** Those that archived anything, also those that were deleted since. Ascending. */
  jobsWithFiles(): number[]
  /** How much these jobs archived, ascending. */
  sumsOfJobs(jobs: readonly number[]): { job: number; files: number; bytes: number }[]
  /** Of content files that belong to no job. */
  namesWithoutJob(): string[]
  replicas(): Promise<ReplicaSummary[]>
  /** Calls `listener` after the state of any copy changed; returns how to stop that. */
  onChange(listener: () => void): () => void
}

/** Makes the replicas' folders that are new. A replica that cannot be reached is not fatal: `replicas` says so, and uploads
 *  to it fail until it is back. Several may read over one database (a thread each, say), only one of them may store:
 *  that is why recovery is a call of its own. */
export async function openArchive(parts: ArchiveParts): Promise<Archive> {
  const { store, world, replicas, limits: chosen, replicaAt = replicaOfKind } = parts
  const limits = { ...defaultArchiveLimits, ...chosen }
  const statements = archiveStatements(store)
  const rules = { freeBytesAfterMin: limits.freeBytesMin, freeBytesToAcceptMin: limits.freeBytesToAcceptMin }
  const places = replicas.map((place) => {
    const expected = {
      any: () => statements.holdsAny.get({ replica: place.name }) !== undefined,
      holds: (name: string) => statements.holds.get({ replica: place.name, name }) !== undefined,
    }
    const bare = replicaAt({ world, place, expected, rules })
    return observed(retrying(bare, world.clock, replicaRetryRules), world.clock)
  })
  const [wrong] = await placesProblems(world.disk, replicas)
  if (wrong) throw new ArchiveFault('refused', wrong.text)
  await Promise.all(places.map((place) => place.problem()))
  const changes = emitter()
  const onChange = () => changes.emit()
  const stores = storing({ store, world, statements, replicas: places, limits, onChange })
  const shown = catalogue(statements)
  const trail = auditTrail(store)

  return {
    places,
    limits,
    store: (file, { signal = neverAborted(), onProgress = () => undefined, restoresMissing = false } = {}) =>
      stores.store(file, { signal, onProgress, restoresMissing }),
    adopt: stores.adopt,
    inTurn: stores.inTurn,
    resumeUploads: ({ signal = neverAborted() } = {}) => stores.resume(signal),
    openFile: (name) => openFirst(statements, places, name),
    pathOfFile: (name) => pathOfFirst(statements, places, name),
    whyNotGiven: (name) => whyNoneGives(statements, places, name),
    async readableFrom(replica, name) {
      const place = places.find((known) => known.name === replica)
      if (!place) throw new ArchiveFault('notFound', `there is no replica ${replica}`)
      const opened = await openCopy(statements, place, name)
      if (opened instanceof ArchiveFault) throw opened
      return opened
    },
    file: shown.file,
    storedWithChecksum: shown.storedWithChecksum,
    filesOfSha256: shown.filesOfSha256,
    assignJob({ name, job }) {
      const file = statements.file.get({ name })
      if (!file) throw new Error(`${name} left the catalogue`)
      statements.setJob.run({ name, job })
      const was = { job: file.jobId, kind: file.kind }
      const became = { job, kind: 'content' }
      trail.append({ who: `job ${job}`, what: 'assignJob', subject: name, was, became }, world.clock.now())
    },
    filesNamed: shown.filesNamed,
    files: fileList(
      store,
      places.map(({ name }) => name),
      shown.shown,
    ),
    unregistered: openUnregistered({ store, world, replicas: places }),
    filesOfJob: shown.filesOfJob,
    hasFilesOf: (job) => statements.anyOfJob.get({ job }) !== undefined,
    jobsWithFiles: () => statements.jobs.all({}).map(({ job }) => job),
    sumsOfJobs: (jobs) => statements.sumsOfJobs.all({ jobs: JSON.stringify(jobs) }),
    namesWithoutJob: () => statements.namesWithoutJob.all({}).map(({ name }) => name),
    ...selectionReader({ statements, world }),
    async replicas() {
      const filesTotal = shown.filesTotal()
      return Promise.all(places.map((place) => shown.replica(place, world.disk, filesTotal)))
    },
    onChange: changes.on,
  }
}

function replicaOfKind(parts: ReplicaParts): Replica {
  return parts.place.kind === 'checksums' ? checksumReplica(parts) : folderReplica(parts)
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
