/** Recovery of data that the files of an archive hold but its database lacks, because the database was lost or restored from
 *  an earlier copy. Files in the replicas are added to the catalogue after every copy is read and compared; jobs are restored
 *  from their metadata files; files in the quarantine are stored in the replicas. Any step may be interrupted by a kill, and
 *  the next recovery continues there: a registered file is not read again, and a job's metadata file comes last. Undecidable
 *  cases are left unchanged. */
import { textOf } from '../../contract/words/render.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { hashFile } from '../../archive/files/hashing.ts'
import { auditTrail } from '../../archive/audit/audit.ts'
import type { RecoverySummary } from '../../contract/services/recovery.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { nameStatements } from '../model/fileNames.sql.ts'
import { databaseStateStatements } from '../ownership/databaseState.sql.ts'
import { quarantined, type QuarantinedFile } from '../ownership/quarantine.ts'
import { agreedCopy } from './copies.ts'
import { unknownId, type JobRecord } from '../finish/jobRecord.ts'
import { jobRecordStatements } from '../finish/jobRecord.sql.ts'
import { readDocuments, readJobMetadata } from './readJobMetadata.ts'
import { addDocuments, endJob, restoreJob, restoreRun, type RunMetadata } from './restoreJob.ts'

/** Parts of the application that recovery uses. */
export interface RecoverParts {
  store: Store
  world: World
  archive: Archive
  jobs: Pick<Jobs, 'createImport'>
  /** Path of `<archive>/quarantine`. */
  quarantineFolder: string
}

type Progress = Omit<RecoverySummary, 'state' | 'started' | 'ended'>

/** A metadata file that is not registered yet, and where it can be read. */
interface FoundMetadata {
  name: string
  path: string
  record: JobRecord
}

const namesAtOnceMax = 1_000
const metadataName = /(^|-)metadata-\d+\.w?arc(\.gz)?$/i

/** Returns the progress of a recovery that has just begun. */
export function nothingRecovered(): Progress {
  return {
    ...{ filesTotal: 0, filesDone: 0, bytesTotal: 0, bytesDone: 0, registered: 0, jobs: [], importJob: null },
    ...{ cleared: 0, problems: [] },
  }
}

/** Recovers what can be recovered and reports progress. Rejects with the signal's reason when stopped. */
export async function recover(
  parts: RecoverParts,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<Progress> {
  const { store, world, archive, jobs, quarantineFolder } = parts
  const { unregistered } = archive
  const progress = nothingRecovered()
  const sql = jobRecordStatements(store)
  let aside: QuarantinedFile[] = []
  const tried = new Set<string>()
  const problem = (name: string, text: string) => void progress.problems.push({ name, text })

  async function count(): Promise<void> {
    for (const { replica, problem: text } of await unregistered.compare(signal)) problem(replica, textOf(text))
    aside = await quarantined({ world, folder: quarantineFolder })
    for await (const name of unregisteredNames()) {
      progress.filesTotal += 1
      progress.bytesTotal += bytesOf(name)
    }
    progress.filesTotal += aside.length
    progress.bytesTotal += aside.reduce((sum, { bytes }) => sum + bytes, 0)
    onProgress(progress)
  }

  function bytesOf(name: string): number {
    return Math.max(0, ...unregistered.placesOf(name).map(({ bytes }) => bytes ?? 0))
  }

  async function* unregisteredNames(): AsyncGenerator<string> {
    for (let names = unregistered.names('', namesAtOnceMax); names.length > 0;) {
      yield* names
      await world.clock.sleep(0)
      signal.throwIfAborted()
      names = unregistered.names(names.at(-1) ?? '', namesAtOnceMax)
    }
  }

  function done(bytes: number): void {
    progress.filesDone += 1
    progress.bytesDone += bytes
    onProgress(progress)
  }

  /** Removes from the quarantine every file that all replicas already have. */
  async function clearQuarantine(): Promise<void> {
    for (const file of aside) {
      const { path, bytes } = file
      signal.throwIfAborted()
      const { sha256 } = await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal })
      if (!archive.storedWithChecksum(sha256)) continue
      await clear(file)
      done(bytes)
    }
    aside = await quarantined({ world, folder: quarantineFolder })
  }

  /** Returns the name that a quarantined file has in the archive, if Loupe gave it. */
  function archiveNameOf({ name }: QuarantinedFile): string {
    return /^[0-9a-f-]{32,36}\.(\d+-metadata-\d+\.warc)$/.exec(name)?.[1] ?? name
  }

  function asideNamed(name: string): QuarantinedFile | undefined {
    return aside.find((file) => archiveNameOf(file) === name)
  }

  async function findMetadata(): Promise<FoundMetadata[]> {
    const found: FoundMetadata[] = []
    const look = async (name: string, path: string | undefined) => {
      const read = path === undefined ? undefined : await readAt(path)
      if (read && path !== undefined) found.push({ name, path, record: read.record })
    }
    for await (const name of unregisteredNames()) {
      if (!metadataName.test(name)) continue
      const agreement = await agreedCopy({ archive, world, signal, aside: asideNamed(name) }, name)
      await look(name, agreement.kind === 'agreed' ? agreement.file.path : undefined)
    }
    for (const file of aside) {
      const name = archiveNameOf(file)
      if (metadataName.test(name) && !found.some((each) => each.name === name)) await look(name, file.path)
    }
    return found
  }

  async function readAt(path: string) {
    const file = await world.disk.openRead(path)
    try {
      return await readJobMetadata(file)
    } finally {
      await file.close()
    }
  }

  /** Registers one file. `jobId` comes from a metadata file, because files of several archives may share a name. */
  async function bring(name: string, kind: 'content' | 'metadata', jobId: number | null): Promise<void> {
    if (tried.has(name)) return
    tried.add(name)
    signal.throwIfAborted()
    const bytes = bytesOf(name)
    try {
      if (unregistered.placesOf(name).length > 0) await bringFromReplicas(name, kind, jobId)
      else await bringFromQuarantine(name, kind, jobId)
    } catch (error) {
      if (!(error instanceof Fault || error instanceof DiskFault)) throw error
      problem(name, error.message)
    }
    done(bytes)
  }

  async function bringFromReplicas(name: string, kind: 'content' | 'metadata', jobId: number | null): Promise<void> {
    const file = asideNamed(name)
    const agreement = await agreedCopy({ archive, world, signal, aside: file }, name)
    for (const text of agreement.problems) problem(name, text)
    if (agreement.kind === 'undecided') return
    const { sha256, bytes, path, replicas } = agreement.file
    archive.adopt({ name, kind, jobId, sha256, bytes }, replicas)
    progress.registered += 1
    if (replicas.length === archive.places.length) return
    const outcome = await archive.store({ path, name, kind, jobId }, { signal })
    report(name, outcome)
    if (file?.path === path && outcome.state === 'stored') await clear(file)
  }

  async function clear({ path }: QuarantinedFile): Promise<void> {
    await world.disk.remove(path)
    progress.cleared += 1
  }

  async function bringFromQuarantine(name: string, kind: 'content' | 'metadata', jobId: number | null): Promise<void> {
    const file = asideNamed(name)
    if (!file || archive.file(name)) return
    const outcome = await archive.store({ path: file.path, name, kind, jobId }, { signal })
    progress.registered += 1
    report(name, outcome)
    if (outcome.state === 'stored') await clear(file)
  }

  function report(name: string, outcome: Awaited<ReturnType<Archive['store']>>): void {
    if (outcome.state === 'stored') return
    for (const { replica, problem: text } of outcome.problems)
      problem(name, `not stored in replica ${replica}: ${textOf(text)}`)
  }

  /** Returns the number under which the database knows the job of a metadata file; if another job has its number, the next
   *  free one. */
  function numberOf({ job, createdMs, runId, files }: JobRecord): number {
    const now = sql.jobNow.get({ job })
    if (!now || now.createdMs === createdMs) return job
    const ofRun = runId === unknownId ? undefined : sql.jobOfRun.get({ runId })?.job
    // An interrupted recovery has already assigned a number to its files.
    const ofFiles = files.flatMap(({ name }) => archive.file(name)?.job ?? []).at(0)
    return ofRun ?? ofFiles ?? newNumber()
  }

  function newNumber(): number {
    const number = sql.nextJob.get({})?.id
    if (number === undefined) throw new Error('there is no next number of a job')
    databaseStateStatements(store).raiseJobNumber.run({ numberMin: number + 1 })
    return number
  }

  async function bringJob(found: readonly FoundMetadata[]): Promise<void> {
    const runs = found.toSorted((one, other) => one.record.run - other.record.run)
    const last = runs.at(-1)
    if (!last) return
    const job = numberOf(last.record)
    for (const { record } of runs) for (const { name } of record.files) await bring(name, 'content', job)
    const whole = await Promise.all(runs.map(wholeRun))
    const now = sql.jobNow.get({ job })
    const isTakenUp = now?.endedMs === null && now.runId === last.record.runId
    const isMade = now === undefined && sql.isDeleted.get({ job }) === undefined
    if (isMade) restoreJob(store, job, whole)
    if (isMade || isTakenUp) await addDocumentsOf(job, last.path)
    for (const { name } of runs) await bring(name, 'metadata', job)
    if (isMade || isTakenUp) {
      endJob(store, job, whole)
      progress.jobs.push(job)
    } else if (now) for (const run of whole) restoreRun(store, job, run)
    onProgress(progress)
  }

  async function wholeRun({ name, path, record }: FoundMetadata): Promise<RunMetadata> {
    const read = await readAt(path)
    return { definition: undefined, imported: [], log: [], writtenMs: record.createdMs, ...read, name, record }
  }

  async function addDocumentsOf(job: number, path: string): Promise<void> {
    const file = await world.disk.openRead(path)
    try {
      await addDocuments({ store, world }, job, readDocuments(file))
    } finally {
      await file.close()
    }
  }

  /** Restores the identity of the archive from the metadata files when only the replicas are left. */
  function adoptArchive(found: readonly FoundMetadata[]): void {
    const ids = [...Map.groupBy(found, ({ record }) => record.archive)].filter(([id]) => id !== unknownId)
    const [first] = ids.toSorted(([, one], [, other]) => other.length - one.length)
    if (first) databaseStateStatements(store).setArchiveId.run({ archiveId: first[0] })
  }

  await count()
  await clearQuarantine()
  const found = await findMetadata()
  adoptArchive(found)
  // Metadata files brought by an import are content files of that import's job.
  const imported = new Set(found.flatMap(({ record }) => record.files.map(({ name }) => name)))
  const jobsFound = Map.groupBy(
    found.filter(({ name }) => !imported.has(name)),
    ({ record }) => `${record.archive} ${record.job} ${record.createdMs}`,
  )
  for (const runs of [...jobsFound.values()].toSorted(inOrder)) await bringJob(runs)
  const { fileOfJob } = nameStatements(store)
  for await (const name of unregisteredNames()) {
    // A job of this database owns the file and will store it itself.
    if (fileOfJob.get({ name }) !== undefined) continue
    await bring(name, metadataName.test(name) ? 'metadata' : 'content', null)
  }
  progress.importJob = importRest(await quarantined({ world, folder: quarantineFolder }), jobs)
  for (const { replica, problem: text } of await unregistered.compare(signal)) problem(replica, textOf(text))
  const { registered, jobs: made, cleared, importJob } = progress
  const became = { registered, jobs: made, cleared, importJob, problems: progress.problems.length }
  auditTrail(store).append({ who: 'recovery', what: 'recover', subject: 'archive', became }, world.clock.now())
  return progress
}

function inOrder([one]: readonly FoundMetadata[], [other]: readonly FoundMetadata[]): number {
  return (one?.record.job ?? 0) - (other?.record.job ?? 0)
}

/** Imports the archive files, including torn ones, that no metadata file describes, like any file from elsewhere. */
function importRest(files: readonly QuarantinedFile[], jobs: Pick<Jobs, 'createImport'>): number | null {
  const paths = files.filter(({ name }) => /\.w?arc(\.gz|\.zst)?(\.open)?$/i.test(name)).map(({ path }) => path)
  return paths.length === 0 ? null : jobs.createImport(paths)
}
