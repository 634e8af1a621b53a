/** Completion of a job: writes its reports and index into one metadata WARC, then offers every file to the archive, which
 *  stores it in every replica or reports why it cannot. Every step can be repeated after a kill: stored files are not stored
 *  twice. */
import { message } from '../../contract/words/message.ts'
import { joined } from '../../contract/words/joined.ts'
import { join } from 'node:path'
import type { Archive } from '../../archive/store/archive.ts'
import type { FileToStore } from '../../archive/store/storingParts.ts'
import { hashFile } from '../../archive/files/hashing.ts'
import { Fault, userMessageOf } from '../../contract/calls/faults.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { indexFile } from '../../files/index/indexFile.ts'
import { blockerOf, type Blocker } from '../model/blocker.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { closedFiles, filesOfAccount, hasOpenFile, markStored, type ClosedFile } from '../capture/records/jobFiles.ts'
import { openHarvestFile } from '../capture/records/harvestFile.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import { importReport, packageDocuments } from './importMetadata.ts'
import { fileChecksums, type FileChecksums } from './fileChecksums.ts'
import { hasLines } from './keptLines.ts'
import { linesPath } from '../model/linesFile.ts'
import { renameRunFile } from './renameFile.ts'
import { writeMetadataFile } from './metadataFile.ts'
import { metadataFiles, type MetadataFiles } from './metadataFiles.ts'
import { localNameOf, ownedFiles } from '../ownership/ownedFiles.ts'
import { copyInReplica } from '../ownership/copyInReplica.ts'
import { setAside, type OwnershipSetting } from '../ownership/settleOwnership.ts'
import { jobRecordReports } from './jobRecordReports.ts'
import { reportsOf } from './reports.ts'

/** Parameters of the completion of a job. */
export interface CompletionSetting extends FileSetting {
  archive: Archive
  jobs: Jobs
  signal: AbortSignal
  /** Whether the output of the job leaves files. */
  keeps: boolean
  quarantineFolder: string
  log: OwnershipSetting['log']
}

type DescriptionSetting = Omit<CompletionSetting, 'keeps' | 'quarantineFolder' | 'log'>

/** Completes a job. Returns undefined when every file of the job is in every replica, else which file is missing where. */
export async function completeJob(setting: CompletionSetting): Promise<Blocker | undefined> {
  const { world, folder } = setting
  // A job that was stopped before its start has no folder.
  await world.disk.makeFolder(folder)
  if (!setting.keeps) {
    await tidy(setting)
    return undefined
  }
  const checksums = fileChecksums(setting)
  return (await describeRun(setting, checksums)) ?? (await storeFiles(setting, checksums)) ?? (await tidy(setting))
}

/** Writes the metadata file of the run: index, reports and the definitions in effect. Returns undefined when it is written,
 *  else the reason why it cannot be. */
export async function describeRun(
  setting: DescriptionSetting,
  checksums: FileChecksums = fileChecksums(setting),
): Promise<Blocker | undefined> {
  const { store, world, folder, job, jobs, signal } = setting
  await world.disk.makeFolder(folder)
  if (hasOpenFile(store, job)) await (await openHarvestFile(setting)).close()
  const runs = metadataFiles(setting)
  await forgetUnwritten(setting, runs)
  const file = runs.ofThisRun(setting.metadataCompression)
  const path = join(folder, localNameOf(file))
  // The name contains the run, so a file of this name can only be the metadata file of this run.
  if ((await world.disk.stat(path)) || setting.archive.file(file.name) !== undefined) return undefined
  const names = filesOfAccount(store, job, file.name)
  const indexed = names.map((name) => ({ name, linesPath: linesPath(folder, name) }))
  const index = async ({ name, linesPath }: (typeof indexed)[number]) => {
    if (await hasLines({ ...setting, checksums }, name)) return []
    const outcome = await indexFile(
      world,
      { path: await pathOfContent(setting, name), filename: name, target: linesPath, digests: 'verify' },
      { signal },
    )
    return outcome.kind === 'unreadable'
      ? [message('job.unreadable', { name, problem: diskMessage(outcome.fault) })]
      : []
  }
  // The thread pool bounds how many files are read at once.
  const unreadable = (await Promise.all(indexed.map(index))).flat()
  if (unreadable.length > 0) return { message: joined(unreadable), code: 'damaged' }
  const imported = importReport(store, job)
  const reports = [
    ...jobRecordReports(store, { job, metadataName: file.name }),
    ...reportsOf(jobs.show(job), jobs, store),
    ...(imported ? [imported] : []),
  ]
  const documents = packageDocuments(store, { job, folder })
  try {
    await writeMetadataFile({ ...setting, path, name: file.name, reports, documents, indexed })
  } catch (error) {
    const blocker = blockerOf(error)
    if (!blocker) throw error
    return { ...blocker, message: message('job.metadataUnwritten', { name: file.name, problem: blocker.message }) }
  }
  for (const { linesPath } of indexed) await world.disk.remove(linesPath)
  return undefined
}

/** Path of a content file: in the folder of its job, or in a replica if an older version had begun to store the run's files. */
async function pathOfContent({ world, folder, archive }: DescriptionSetting, name: string): Promise<string> {
  const path = join(folder, name)
  if (await world.disk.stat(path)) return path
  return (await copyInReplica({ world, archive }, name))?.path ?? path
}

/** Assigns to this run the files of earlier runs whose metadata file could not be written, for example because the disk was
 *  full. */
async function forgetUnwritten({ world, folder, archive }: DescriptionSetting, runs: MetadataFiles): Promise<void> {
  for (const file of runs.earlier()) {
    const path = join(folder, localNameOf(file))
    if (archive.file(file.name) !== undefined || (await world.disk.stat(path))) continue
    // What was begun belongs to the name: without it, no one would know the file.
    if (await world.disk.stat(`${path}.open`)) await world.disk.remove(`${path}.open`)
    runs.forget(file)
  }
}

async function storeFiles(setting: CompletionSetting, checksums: FileChecksums): Promise<Blocker | undefined> {
  const { store, world, folder, job } = setting
  const files = closedFiles(store, job).filter(({ state }) => state === 'CLOSED')
  const problems: Blocker[] = []
  for (const file of files) {
    const problem = await storeContent(setting, file, await checksums.known(file.name))
    if (problem === undefined) markStored(store, file.id)
    else problems.push(problem)
  }
  // The metadata file comes last: once it is stored, every file it mentions is stored too.
  for (const file of problems.length > 0 ? [] : metadataFiles(setting).all()) {
    const path = join(folder, localNameOf(file))
    if (!(await world.disk.stat(path))) continue
    const problem = await storeMetadata(setting, { ...file, path })
    if (problem !== undefined) problems.push(problem)
  }
  if (problems.length === 0) return undefined
  const { message: problem, code } = allOf(problems)
  return { message: message('job.filesWait', { problem, folder }), code }
}

/** Joins several problems into one. Lack of space takes precedence: the user can make room. */
function allOf(problems: readonly Blocker[]): Blocker {
  const codes = problems.map(({ code }) => code)
  const code = codes.find((each) => each === 'noSpace') ?? codes[0]
  if (code === undefined) throw new Error('a file is not stored, and no replica says why')
  return { message: joined(problems.map((each) => each.message)), code }
}

/** Stores a content file. If a replica that was unavailable holds a different file of this name, an imported file gets a new
 *  name. */
async function storeContent(
  setting: CompletionSetting,
  file: ClosedFile,
  content: FileToStore['content'],
): Promise<Blocker | undefined> {
  const { folder } = setting
  const stored = await storeFile(setting, { path: join(folder, file.name), name: file.name, kind: 'content', content })
  if (stored === undefined || !(await isNameOfAnother(setting, file.name))) return stored
  const name = await renameRunFile(setting, file)
  return name === undefined ? stored : storeFile(setting, { path: join(folder, name), name, kind: 'content' })
}

/** Stores a metadata file. The file contains its own name, so under another name it is written again. */
async function storeMetadata(
  setting: CompletionSetting,
  file: { name: string; runId: string; path: string },
): Promise<Blocker | undefined> {
  const stored = await storeFile(setting, { ...file, kind: 'metadata' })
  const runs = metadataFiles(setting)
  const isOfThisRun = runs.given()?.name === file.name
  if (stored === undefined || !isOfThisRun || !(await isNameOfAnother(setting, file.name))) return stored
  await setting.world.disk.remove(file.path)
  const undescribed = await describeRun(setting)
  if (undescribed !== undefined) return undescribed
  const renamed = runs.ofThisRun(setting.metadataCompression)
  const path = join(setting.folder, localNameOf(renamed))
  return storeFile(setting, { path, name: renamed.name, kind: 'metadata' })
}

/** Tells whether a replica holds a file of this name that the catalogue does not know. Compares the replicas again, since one
 *  may have been unavailable before. */
async function isNameOfAnother({ archive, signal }: CompletionSetting, name: string): Promise<boolean> {
  if (archive.file(name) !== undefined) return false
  await archive.unregistered.compare(signal)
  return archive.unregistered.placesOf(name).length > 0
}

/** Tells whether the last run of an ended job has nothing left to store: its metadata file is stored last. */
export function isStored(setting: Pick<CompletionSetting, 'store' | 'archive'>, job: number): boolean {
  const name = metadataFiles({ ...setting, job }).given()?.name
  const known = name === undefined ? undefined : setting.archive.file(name)
  return known !== undefined && known.stored !== null
}

/** Empties the folder of a job whose files are all in every replica. Kills leave files there, including removed files that a
 *  power failure restored. Removes working files and files the archive holds with the same checksum; moves everything else to
 *  the quarantine. */
async function tidy(setting: CompletionSetting): Promise<undefined> {
  const { world, folder, store, job } = setting
  const owned = ownedFiles(store, job)
  const unknown: string[] = []
  for (const { name, kind } of await world.disk.list(folder)) {
    const isRemoved = kind === 'file' && (owned.kindOf(name) === 'working' || (await isArchived(setting, name)))
    if (isRemoved) await world.disk.remove(join(folder, name))
    else unknown.push(name)
  }
  await world.disk.syncFolder(folder)
  await setAside(setting, { job, folder, names: unknown, why: message('quarantine.otherRun') })
}

/** Tells whether the archive holds the same bytes as a file of this job, in every replica. */
async function isArchived({ archive, world, folder, job, signal }: CompletionSetting, name: string): Promise<boolean> {
  const stored = archive.filesOfJob(job).filter((file) => file.stored !== null)
  if (stored.length === 0) return false
  const { sha256 } = await hashFile(world, { path: join(folder, name), bytesPerSecondMax: 0 }, { signal })
  return stored.some((file) => file.sha256 === sha256)
}

/** Stores one file. The local copy is removed only when every replica has completed. */
async function storeFile(
  { archive, world, job, signal }: CompletionSetting,
  { path, name, kind, content }: Omit<FileToStore, 'jobId'>,
): Promise<Blocker | undefined> {
  // A kill came between removing the file and recording that it is stored.
  if (archive.file(name)?.stored && !(await world.disk.stat(path))) return undefined
  try {
    const outcome = await archive.store({ path, name, kind, content, jobId: job }, { signal })
    if (outcome.state === 'failed') {
      return allOf(
        outcome.problems.map(({ replica, problem, code }) => ({
          message: message('job.notStored', { name, replica, problem }),
          code,
        })),
      )
    }
  } catch (error) {
    if (error instanceof Fault) return { message: userMessageOf(error), code: error.code }
    throw error
  }
  await world.disk.remove(path)
  return undefined
}
