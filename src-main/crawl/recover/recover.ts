/** Recovery of data that the files of an archive hold but its database lacks, because the database was lost or restored from
 *  an earlier copy. Files in the replicas are added to the catalogue after every copy is read and compared; jobs are restored
 *  from their metadata files; files in the quarantine are stored in the replicas. Any step may be interrupted by a kill, and
 *  the next recovery continues there: a registered file is not read again, and a job's metadata file comes last. Undecidable
 *  cases are left unchanged. */
import type { Archive } from '../../archive/store/archive.ts'
import { openAuditLog } from '../../archive/audit/audit.ts'
import { isQualityName } from '../../archive/files/qualityNames.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { unknownId } from '../finish/jobRecord.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { nameStatements } from '../model/fileNames.sql.ts'
import { databaseStateStatements } from '../ownership/databaseState.sql.ts'
import type { QuarantinedFile } from '../ownership/quarantine.ts'
import { byJob, findMetadata, type FoundMetadata } from './foundMetadata.ts'
import { jobOfQualityFile, type QualityFileParts } from './qualityFileJob.ts'
import { recoverJob } from './recoverJob.ts'
import { RecoveryProgress, type Progress } from './recoveryProgress.ts'
import { fileRegistrar, type FileToRegister } from './registerFile.ts'
import { metadataName, UnknownFiles } from './unknownFiles.ts'

/** Parts of the application that recovery uses. */
export interface RecoverParts {
  store: Store
  world: World
  archive: Archive
  jobs: Pick<Jobs, 'createImport'>
  /** Path of `<archive>/quarantine`. */
  quarantineFolder: string
}

/** Recovers what can be recovered and reports progress. Rejects with the signal's reason when stopped. */
export async function recover(
  parts: RecoverParts,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<Progress> {
  const { store, world, archive, jobs, quarantineFolder } = parts
  const progress = new RecoveryProgress(onProgress)
  const files = new UnknownFiles({ world, archive, quarantineFolder, progress, signal })
  const register = fileRegistrar({ world, archive, files, progress, signal })
  await files.count()
  await files.clearStored()
  const found = await findMetadata({ world, archive, files, signal })
  adoptArchive(store, found)
  for (const runs of byJob(found)) await recoverJob({ store, world, archive, progress, register }, runs)
  await registerRest({ store, world, archive, files, signal }, register)
  progress.now.importJob = importRest(await files.leftInQuarantine(), jobs)
  await files.compareReplicas()
  addToAuditLog(parts, progress.now)
  return progress.now
}

/** Restores the identity of the archive from the metadata files when only the replicas are left. */
function adoptArchive(store: Store, found: readonly FoundMetadata[]): void {
  const ids = [...Map.groupBy(found, ({ record }) => record.archive)].filter(([id]) => id !== unknownId)
  const [first] = ids.toSorted(([, one], [, other]) => other.length - one.length)
  if (first) databaseStateStatements(store).setArchiveId.run({ archiveId: first[0] })
}

/** Registers the files that belong to no job, and quality files, which no metadata file describes. */
async function registerRest(parts: QualityFileParts, register: (file: FileToRegister) => Promise<void>): Promise<void> {
  const { store, files } = parts
  const { fileOfJob } = nameStatements(store)
  for await (const name of files.inReplicas()) {
    // A job of this database owns the file and will store it itself.
    if (fileOfJob.get({ name }) !== undefined) continue
    if (isQualityName(name)) await register({ name, kind: 'metadata', jobId: await jobOfQualityFile(parts, name) })
    else await register({ name, kind: metadataName.test(name) ? 'metadata' : 'content', jobId: null })
  }
}

/** Imports the archive files, including torn ones, that no metadata file describes, like any file from elsewhere. */
function importRest(files: readonly QuarantinedFile[], jobs: Pick<Jobs, 'createImport'>): number | null {
  const paths = files.filter(({ name }) => /\.w?arc(\.gz|\.zst)?(\.open)?$/i.test(name)).map(({ path }) => path)
  return paths.length === 0 ? null : jobs.createImport(paths)
}

function addToAuditLog({ store, world }: RecoverParts, progress: Progress): void {
  const { registered, jobs, cleared, importJob, problems } = progress
  const became = { registered, jobs, cleared, importJob, problems: problems.length }
  openAuditLog(store).append({ who: 'recovery', what: 'recover', subject: 'archive', became }, world.clock.now())
}
