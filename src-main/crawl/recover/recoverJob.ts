/** Restores one job from its metadata files, and registers its files. The metadata files come last: after a kill, the next
 *  recovery finds the job again and continues. */
import { message, type Message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { documentsName, unknownId, type JobRecord } from '../finish/jobRecord.ts'
import { databaseStateStatements } from '../ownership/databaseState.sql.ts'
import { metadataAt, type FoundMetadata } from './foundMetadata.ts'
import { definitionName, readDocuments, type LostLines } from './readJobMetadata.ts'
import type { RecoveryProgress } from './recoveryProgress.ts'
import type { FileToRegister } from './registerFile.ts'
import { addDocuments, endJob, restoreJob, restoreRun, storedDefinitionOf, type RunMetadata } from './restoreJob.ts'
import { jobNumberStatements } from './restoreJob.sql.ts'

interface Parts {
  store: Store
  world: World
  archive: Pick<Archive, 'file'>
  progress: RecoveryProgress
  register(file: FileToRegister): Promise<void>
}

/** Restores the job that these metadata files describe; they are in the order of its runs. */
export async function recoverJob(parts: Parts, runs: readonly FoundMetadata[]): Promise<void> {
  const { store, world, progress, register } = parts
  const last = runs.at(-1)
  if (!last) return
  const sql = jobNumberStatements(store)
  const job = numberOf(parts, last.record)
  for (const { record } of runs)
    for (const { name } of record.files) await register({ name, kind: 'content', jobId: job })
  const whole = await Promise.all(runs.map((run) => wholeRun(world, run)))
  const now = sql.jobNow.get({ job })
  const isContinued = now?.endedMs === null && now.runId === last.record.runId
  const isNew = now === undefined && sql.isDeleted.get({ job }) === undefined
  if (isNew) restoreJob(store, job, whole)
  if (isNew || isContinued) await addDocumentsOf(parts, job, last)
  for (const { name } of runs) await register({ name, kind: 'metadata', jobId: job })
  if (isNew || isContinued) {
    reportLost(progress, job, whole)
    endJob(store, job, whole)
    progress.jobRestored(job)
  } else if (now) for (const run of whole) restoreRun(store, job, run)
  progress.report()
}

/** Returns the number under which the database knows the job of a metadata file; if another job has its number, the next free
 *  one. */
function numberOf({ store, archive }: Parts, { job, createdMs, runId, files }: JobRecord): number {
  const sql = jobNumberStatements(store)
  const now = sql.jobNow.get({ job })
  if (!now || now.createdMs === createdMs) return job
  const ofRun = runId === unknownId ? undefined : sql.jobOfRun.get({ runId })?.job
  // An interrupted recovery has already assigned a number to its files.
  const ofFiles = files.flatMap(({ name }) => archive.file(name)?.job ?? []).at(0)
  return ofRun ?? ofFiles ?? newNumber(store)
}

/** Takes the next number for good, so that no job created meanwhile gets it. */
function newNumber(store: Store): number {
  const number = jobNumberStatements(store).nextJob.get({})?.id
  if (number === undefined) throw new Error('there is no next number of a job')
  databaseStateStatements(store).raiseJobNumber.run({ numberMin: number + 1 })
  return number
}

async function wholeRun(world: World, { name, path, record }: FoundMetadata): Promise<RunMetadata> {
  const read = await metadataAt(world, path)
  const nothing = { definition: undefined, changes: [], setup: [], removed: [], imported: [], log: [], lost: [] }
  return { ...nothing, writtenMs: record.createdMs, ...read, name, record }
}

async function addDocumentsOf(parts: Parts, job: number, { name, path, record }: FoundMetadata): Promise<void> {
  const { store, world, progress } = parts
  const { total } = record.documents
  const file = await world.disk.openRead(path)
  try {
    const documents = readDocuments(file, {
      onLost: (lines) => progress.problem(name, lostMessage(job, lines)),
      onDamage: (restored) =>
        progress.problem(name, message('recover.documents.damaged', { job, list: documentsName, restored, total })),
    })
    await addDocuments({ store, world }, job, documents)
  } finally {
    await file.close()
  }
}

/** Reports what the restored job lacks, except documents. */
function reportLost(progress: RecoveryProgress, job: number, runs: readonly RunMetadata[]): void {
  for (const { name, lost } of runs) for (const lines of lost) progress.problem(name, lostMessage(job, lines))
  const last = runs.at(-1)
  if (last && storedDefinitionOf(last) === undefined)
    progress.problem(last.name, message('recover.definition.lost', { job, list: definitionName }))
}

function lostMessage(job: number, { list, lines, first }: LostLines): Message {
  return message('recover.lines.lost', { job, list, lines, first })
}
