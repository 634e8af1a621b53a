/** The end of a job: its reports and index go into one metadata WARC, then every file is offered to the archive, which
 *  stores it in every replica or says why not. All of it can be begun again after a kill: what is stored is not stored twice. */
import { join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { Fault } from '../contract/faults.ts'
import { indexFile } from '../files/indexFile.ts'
import type { Store } from '../storage/storage.ts'
import type { Jobs } from './jobs.ts'
import {
  closedFiles,
  filesOfAccount,
  forgetAccount,
  hasOpenFile,
  markStored,
  openHarvestFile,
  type FileSetting,
} from './harvestFile.ts'
import { importReport, packageDocuments } from './import/importMetadata.ts'
import { linesPath } from './import/localNames.ts'
import { writeMetadataFile } from './metadataFile.ts'
import { reportsOf } from './reports.ts'

export interface CompletionSetting extends FileSetting {
  archive: Archive
  jobs: Jobs
  signal: AbortSignal
  /** Its output leaves files. */
  keeps: boolean
}

/** Undefined when every file of the job is in every replica; else what is missing where, in one sentence. */
export async function completeJob(setting: CompletionSetting): Promise<string | undefined> {
  const { world, folder } = setting
  // A job that was stopped before its start has none.
  await world.disk.makeFolder(folder)
  if (!setting.keeps) {
    await tidy(setting)
    return undefined
  }
  return (await describeRun(setting)) ?? (await storeFiles(setting))
}

/** Its account is written: index, reports, and which definition held. Undefined when it is, else why it cannot be. */
export async function describeRun(setting: Omit<CompletionSetting, 'keeps'>): Promise<string | undefined> {
  const { store, world, folder, job, jobs, signal } = setting
  await world.disk.makeFolder(folder)
  if (hasOpenFile(store, job)) await (await openHarvestFile(setting)).close()
  await takeUpUntold(setting)
  const metadataName = metadataNameFor(setting)
  const metadataPath = join(folder, localNameOf(metadataName))
  if (!(await world.disk.stat(metadataPath)) && setting.archive.file(metadataName) === undefined) {
    const names = filesOfAccount(store, job, metadataName)
    const indexed = names.map((name) => ({ name, linesPath: linesPath(folder, name) }))
    const index = async ({ name, linesPath }: (typeof indexed)[number]) => {
      // An import read its files through already. What has this name is whole, and a closed file never changes.
      if (await world.disk.stat(linesPath)) return []
      const outcome = await indexFile(
        world,
        { path: join(folder, name), filename: name, target: linesPath, digests: 'verify' },
        { signal },
      )
      return outcome.kind === 'unreadable' ? [`${name} could not be read back: ${outcome.text}.`] : []
    }
    // The pool bounds how many are read at once.
    const unreadable = (await Promise.all(indexed.map(index))).flat()
    if (unreadable.length > 0) return unreadable.join(' ')
    const imported = importReport(store, job)
    const reports = [...reportsOf(jobs.show(job), jobs, store), ...(imported ? [imported] : [])]
    const documents = packageDocuments(store, { job, folder })
    await writeMetadataFile({ ...setting, path: metadataPath, name: metadataName, reports, documents, indexed })
    for (const { linesPath } of indexed) await world.disk.remove(linesPath)
  }
  return undefined
}

/** An earlier run whose account could not be written, since the disk was full, say, before a further one began: this one tells of
 *  its files. */
async function takeUpUntold({ store, world, folder, job, archive }: Omit<CompletionSetting, 'keeps'>): Promise<void> {
  for (const { name } of runNames(store).earlier.all({ job })) {
    if (archive.file(name) !== undefined || (await world.disk.stat(join(folder, localNameOf(name))))) continue
    store.transaction(() => {
      forgetAccount(store, { job, metadataName: name })
      runNames(store).forget.run({ job, name })
    })
  }
}

async function storeFiles(setting: CompletionSetting): Promise<string | undefined> {
  const { store, world, folder, job } = setting
  const files = closedFiles(store, job).filter(({ state }) => state === 'CLOSED')
  const problems: string[] = []
  for (const { id, name } of files) {
    const problem = await storeFile(setting, { path: join(folder, name), name, kind: 'content' })
    if (problem === undefined) markStored(store, id)
    else problems.push(problem)
  }
  // The metadata file comes last: where it is stored, everything that it speaks of is.
  for (const { name } of runNames(store).all.all({ job })) {
    const path = join(folder, localNameOf(name))
    if (problems.length > 0 || !(await world.disk.stat(path))) continue
    const problem = await storeFile(setting, { path, name, kind: 'metadata' })
    if (problem !== undefined) problems.push(problem)
  }
  if (problems.length === 0) {
    await tidy(setting)
    return undefined
  }
  return `${problems.join('; ')}. The files wait in ${folder} and are offered again at the next start.`
}

export const storedText = 'Every file is stored in every replica.'

/** Whether the last run of a job that has ended has nothing left to store: its metadata file goes last. */
export function isStored({ store, archive }: Pick<CompletionSetting, 'store' | 'archive'>, job: number): boolean {
  const name = runNames(store).get.get({ job })?.name
  const known = name === undefined ? undefined : archive.file(name)
  return known !== undefined && known.stored !== null
}

/** While it waits in the job's folder: a name that no imported file can have, since names in the archive begin otherwise. */
const localNameOf = (metadataName: string) => `.${metadataName}`

/** `<job>-metadata-1.warc`, then the next number for each further run, and where an import brought a file of that name from
 *  another archive. It is written down before the file is, so that a kill changes nothing. */
function metadataNameFor({ store, archive, job }: Omit<CompletionSetting, 'keeps'>): string {
  const names = runNames(store)
  const given = names.get.get({ job })?.name
  if (given !== undefined) return given
  // That of an earlier run may wait in the folder still: the archive does not know it yet.
  const taken = new Set(names.all.all({ job }).map(({ name }) => name))
  for (let version = 1; ; version += 1) {
    const name = `${job}-metadata-${version}.warc`
    if (taken.has(name) || archive.file(name) !== undefined) continue
    names.add.run({ job, name })
    return name
  }
}

function runNames(store: Store) {
  return {
    get: store.statement<{ job: number }, { name: string }>(
      `SELECT run_metadata.name FROM run_metadata JOIN job ON job.id = job_id AND job.run = run_metadata.run WHERE job_id = @job`,
    ),
    /** Also of earlier runs: a replica may have refused theirs. */
    all: store.statement<{ job: number }, { name: string }>(
      `SELECT name FROM run_metadata WHERE job_id = @job ORDER BY run`,
    ),
    earlier: store.statement<{ job: number }, { name: string }>(
      `SELECT run_metadata.name FROM run_metadata JOIN job ON job.id = job_id AND run_metadata.run < job.run WHERE job_id = @job`,
    ),
    forget: store.statement<{ job: number; name: string }>(
      `DELETE FROM run_metadata WHERE job_id = @job AND name = @name`,
    ),
    add: store.statement<{ job: number; name: string }>(
      `INSERT INTO run_metadata (job_id, run, name) SELECT id, run, @name FROM job WHERE id = @job`,
    ),
  }
}

/** Everything of the job is in every replica: what its folder still holds was left by kills, also files that were removed when
 *  the power went and are there again. */
async function tidy({ world, folder }: CompletionSetting): Promise<void> {
  for (const { name } of await world.disk.list(folder)) await world.disk.remove(join(folder, name))
  await world.disk.syncFolder(folder)
}

/** The local copy is dropped only when every replica has completed. */
async function storeFile(
  { archive, world, job, signal }: CompletionSetting,
  file: { path: string; name: string; kind: 'content' | 'metadata' },
): Promise<string | undefined> {
  // A kill came between removing it and writing down that it is stored.
  if (archive.file(file.name)?.stored && !(await world.disk.stat(file.path))) return undefined
  try {
    const outcome = await archive.store({ ...file, jobId: job }, { signal })
    if (outcome.state === 'failed') {
      return outcome.problems
        .map(({ replica, problem }) => `${file.name} is not stored in replica ${replica}: ${problem}`)
        .join('; ')
    }
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
  await world.disk.remove(file.path)
  return undefined
}
