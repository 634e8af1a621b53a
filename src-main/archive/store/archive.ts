/** The archive. Every file that Loupe keeps is registered here with its checksum and stored under one name in every replica. A stored
 *  file is never changed: `store` adds a file or refuses it. Other modules check the copies later (`preservation.ts`), read the
 *  contents of files (`formats`) and keep data derived from them (`indexes`). */
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import type { ReplicaSummary } from '../../contract/services/replicas.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { archiveStatements } from '../copies/archive.sql.ts'
import { openAuditLog } from '../audit/audit.ts'
import { catalogue } from '../copies/catalogue.ts'
import { fileList, type FilesQuery, type ListedFiles } from '../copies/fileList.ts'
import { defaultArchiveLimits, replicaRetryRules, type ArchiveLimits } from '../files/limits.ts'
import { openCopy, openFirst, pathOfFirst, whyNoneGives, type OpenedFile } from './reading.ts'
import { checksumReplica } from '../replica/checksumReplica.ts'
import { folderReplica, type ReplicaParts } from '../replica/folderReplica.ts'
import { moduleReplica } from '../replica/moduleReplica.ts'
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

/** Options of a store. */
export interface StoreOptions {
  signal?: AbortSignal
  /** Restores copies of the file that were stored and are now missing; damaged copies are left alone. For callers that run where
   *  repairs run too: a store and a repair must not write the same copy. */
  restoresMissing?: boolean
  onProgress?: (progress: StoreProgress) => void
}

export interface ArchiveParts {
  store: Store
  world: World
  /** The replicas, in the order in which they are read. */
  replicas: readonly ReplicaPlace[]
  /** Creates the replica for a place; by default chosen by the kind of the place. */
  replicaAt?: (parts: ReplicaParts) => Replica
  limits?: Partial<ArchiveLimits>
}

/** The open archive. */
export interface Archive extends SelectionReader {
  readonly places: readonly ObservedReplica[]
  readonly limits: ArchiveLimits
  /** Registers the file and writes it to every replica. Throws `ArchiveFault` when the store could not start: the file does not exist,
   *  the name is invalid, or another file has the name. */
  store(file: FileToStore, options?: StoreOptions): Promise<StoreOutcome>
  /** Registers a file that the given replicas already hold; the caller has just read each copy and found this checksum. `store` then
   *  writes the file to the other replicas. Throws `ArchiveFault` when the name differs only in case from that of a registered file. */
  adopt(file: FileToAdopt, replicas: readonly string[]): void
  /** Runs an action on the copies of one file. Actions and stores of the same file run one after the other. */
  inTurn<T>(name: string, act: () => Promise<T>): Promise<T>
  /** Recovers after a crash: removes unfinished temporary files and continues interrupted copies. A copy whose source is no longer
   *  known becomes UPLOAD_FAILED and is finished by the next `store` of the file. */
  resumeUploads(options?: { signal?: AbortSignal }): Promise<void>
  /** Opens the file in the first replica that provides a good copy; undefined when none does. The caller closes the file. */
  openFile(name: string): Promise<OpenedFile | undefined>
  /** Path of the copy that `openFile` would open, for threads that open the file themselves. */
  pathOfFile(name: string): Promise<{ replica: string; path: string } | undefined>
  /** Reason why `openFile` would return undefined, in complete sentences; undefined when a good copy is available. */
  whyNotGiven(name: string): Promise<Message | undefined>
  /** Opens the copy in the given replica. Throws `ArchiveFault` with the reason when the copy cannot be used. The caller closes the
   *  file. */
  readableFrom(replica: string, name: string): Promise<{ file: ReadableFile; bytes: number }>
  file(name: string): ArchivedFile | undefined
  /** File with this checksum that every replica holds. Searches all files. */
  storedWithChecksum(sha256: string): ArchivedFile | undefined
  /** All files with this checksum. */
  filesOfSha256(sha256: string): ArchivedFile[]
  /** Assigns a file that belongs to no job, or to a deleted one, to this job as a content file and writes an entry to the audit log.
   *  Runs in the caller's transaction, because the caller knows which jobs exist. */
  assignJob(taken: { name: string; job: number }): void
  /** The files among these names that are in the catalogue, in no particular order. */
  filesNamed(names: readonly string[]): ArchivedFile[]
  files(query: FilesQuery): ListedFiles
  /** Files in the replicas' folders that are not in the catalogue. */
  readonly unregistered: Unregistered
  /** Files of a job, in the order of registration. */
  filesOfJob(jobId: number): ArchivedFile[]
  /** Whether the job archived any files. The job itself may have been deleted since. */
  hasFilesOf(jobId: number): boolean
  /** Numbers of the jobs that archived files, ascending, including jobs that have been deleted since. */
  jobsWithFiles(): number[]
  /** Number of files and bytes that each of these jobs archived, ascending by job. */
  sumsOfJobs(jobs: readonly number[]): { job: number; files: number; bytes: number }[]
  /** Names of the content files that belong to no job. */
  namesWithoutJob(): string[]
  replicas(): Promise<ReplicaSummary[]>
  /** Calls `listener` after the state of any copy changed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

/** Opens the archive and creates the folders of new replicas. An unreachable replica is not an error: `replicas` reports it, and
 *  uploads to it fail until it is available again. Several threads may read from one database, but only one may store; recovery is
 *  therefore a separate call (`resumeUploads`). */
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
  if (wrong) throw new ArchiveFault('refused', message('replicas.clash', { problem: wrong.message }))
  await Promise.all(places.map((place) => place.problem()))
  const changes = emitter()
  const onChange = () => changes.emit()
  const stores = storing({ store, world, statements, replicas: places, limits, onChange })
  const shown = catalogue(statements)
  const auditLog = openAuditLog(store)

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
      if (!place) throw new ArchiveFault('notFound', message('replica.absent', { replica }))
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
      auditLog.append({ who: `job ${job}`, what: 'assignJob', subject: name, was, became }, world.clock.now())
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
    replicas: () => Promise.all(places.map((place) => shown.replica(place, world.disk))),
    onChange: changes.on,
  }
}

function replicaOfKind(parts: ReplicaParts): Replica {
  if (parts.place.module) return moduleReplica(parts)
  return parts.place.kind === 'checksums' ? checksumReplica(parts) : folderReplica(parts)
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
