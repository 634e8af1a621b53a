/** The floor's door: indexes that are derived from the archive. All of it may be deleted at any time; it is built again.
 *
 *  Two layers. For each archive file the CDXJ lines of its captures (`cdx/<job>/<file>.cdxj`), from the job's metadata
 *  where the harvester wrote them, else by reading the file. For each set of jobs a database made of them
 *  (`capture/<set>.<files>.db`). A file is written under a temporary name and renamed, so what has its name is whole, and
 *  being killed at any moment leaves at most temporary files, which the next start removes. */
import { join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { Fault } from '../contract/faults.ts'
import { canonicaliserVersion } from '../formats/cdx/canonicaliser.ts'
import { openDerived, StorageFault, type Store } from '../storage/storage.ts'
import { DiskFault, type Disk, type Entry, type World } from '../world/world.ts'
import { affectedBy, type Affected } from './affected.ts'
import type { BuildInput, BuildOutcome } from './buildIndex.thread.ts'
import { captureIndexOver, type CaptureIndex, type Completeness } from './captureIndex.ts'
import { captureSchema, captureStatements } from './captureIndex.sql.ts'
import { captureLines, type BuildOptions, type CaptureLines } from './captureLines.ts'
import { filesName, jobSet, setName } from './jobSet.ts'
import { quarantinedShownMax } from './limits.ts'

export type { BuildOptions } from './captureLines.ts'
export { momentAt } from './asked.ts'
export type { Asked, CaptureIndex, Completeness, IndexedCapture, Moment } from './captureIndex.ts'

export interface Indexes {
  /** The capture index of these jobs, built when there is none for their present files. Whoever asks closes it. Rejects
   *  with the signal's reason (of the first, where several wait for one build), or with `Fault` notFound when the archive
   *  has no file of any of these jobs. */
  captureIndexFor(jobs: readonly number[], options?: BuildOptions): Promise<CaptureIndex>
  /** What is lost with this archive file; undefined when nobody can say. */
  affectedBy(
    file: { name: string; job: number },
    options: { msMax: number; signal: AbortSignal },
  ): Promise<Affected | undefined>
}

export async function openIndexes(options: { folder: string; world: World; archive: Archive }): Promise<Indexes> {
  const { folder, world, archive } = options
  const lineFolder = join(folder, 'cdx')
  const captureFolder = join(folder, 'capture')
  for (const each of [lineFolder, captureFolder]) {
    await world.disk.makeFolder(each)
    await removeTemporary(each, world.disk)
  }
  /** Two that want the same index wait for one build. */
  const building = new Map<string, Promise<string>>()

  /** The path of the database of these jobs' present files. */
  async function prepared(jobs: readonly number[], build: BuildOptions): Promise<string> {
    const lines = await captureLines({ folder: lineFolder, world, archive }, jobs, build)
    if (lines.jobsFound.length === 0) throw new Fault('notFound', `the archive has no files of ${jobsInWords(jobs)}`)
    const manifest = manifestOf(jobs, lines)
    // What is missing is part of the name: a whole index is never confused with one that was built without some file.
    const name = `${setName(jobs)}.${filesName([...manifest.files, ...manifest.filesMissing.map((file) => `-${file.name}`)])}.db`
    const path = join(captureFolder, name)
    if (isUsable(path, manifest, await world.disk.stat(path))) return path
    await buildDatabase({ path, lines, manifest, world, build })
    await removeOthers({ folder: captureFolder, set: setName(jobs), kept: name, disk: world.disk })
    return path
  }

  return {
    affectedBy: (file, options) => affectedBy({ folder: lineFolder, world, archive }, file, options),
    async captureIndexFor(asked, build = {}) {
      const jobs = jobSet(asked)
      const key = jobs.join('-')
      const path = building.get(key) ?? prepared(jobs, build).finally(() => building.delete(key))
      building.set(key, path)
      const store = openDerived(await path, captureSchema)
      return captureIndexOver(store, completenessIn(store))
    },
  }
}

/** As it is asked for and found; the quarantine is in the database. */
type Manifest = Omit<Completeness, 'quarantined'>

function manifestOf(jobs: readonly number[], { files, jobsFound, filesMissing }: CaptureLines): Manifest {
  return {
    jobsAsked: [...jobs],
    jobsFound,
    jobsMissing: jobs.filter((job) => !jobsFound.includes(job)),
    files: files.map(({ name }) => name).toSorted(),
    filesMissing: filesMissing.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** A database that is damaged, says that it holds something else, or has keys of other rules, is built again. */
function isUsable(path: string, wanted: Manifest, entry: Entry | undefined): boolean {
  if (entry === undefined) return false
  try {
    const store = openDerived(path, captureSchema)
    try {
      const { canonicaliser, ...manifest } = manifestIn(store)
      return canonicaliser === canonicaliserVersion && sameFiles(manifest, wanted)
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'damaged') return false
    throw error
  }
}

/** Why a file could not be had may be said otherwise each time. */
function sameFiles(one: Partial<Manifest>, other: Manifest): boolean {
  const names = ({ jobsAsked, jobsFound, files, filesMissing }: Partial<Manifest>) =>
    JSON.stringify([jobsAsked, jobsFound, files, filesMissing?.map(({ name }) => name)])
  return names(one) === names(other)
}

/** Of a time when indexes did not say how their keys were made it has less in it. */
function manifestIn(store: Store): Partial<Manifest> & { canonicaliser?: string } {
  const rows = captureStatements(store).manifest.all({})
  return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
}

function completenessIn(store: Store): Completeness {
  const { jobsAsked = [], jobsFound = [], jobsMissing = [], files = [], filesMissing = [] } = manifestIn(store)
  const statements = captureStatements(store)
  const first = statements.quarantined
    .all({ limit: quarantinedShownMax })
    .map(({ offset, ...place }) => ({ ...place, offset: offset ?? undefined }))
  const count = statements.quarantinedCount.get({})?.count ?? 0
  return { jobsAsked, jobsFound, jobsMissing, files, filesMissing, quarantined: { count, first } }
}

interface Build {
  path: string
  lines: CaptureLines
  manifest: Manifest
  world: World
  build: BuildOptions
}

async function buildDatabase({ path, lines: { files }, manifest, world, build }: Build): Promise<void> {
  const { signal, onProgress } = build
  const temporary = `${path}.${world.chance.uuid()}.part`
  const input = { database: temporary, files, manifest: { ...manifest, canonicaliser: canonicaliserVersion } }
  await world.threads.run<BuildInput, BuildOutcome, { captures: number }>(
    new URL('./buildIndex.thread.ts', import.meta.url),
    input,
    {
      ...(signal && { signal }),
      onReport: ({ captures }) => onProgress?.({ filesDone: files.length, filesTotal: files.length, captures }),
    },
  )
  // A damaged one may leave its log behind, which would be taken for that of the new one.
  for (const suffix of ['-wal', '-shm'])
    if (await world.disk.stat(path + suffix)) await world.disk.remove(path + suffix)
  await world.disk.rename(temporary, path)
}

/** Earlier states of the same set. One that somebody still reads stays where the system does not let it go (Windows). */
async function removeOthers(made: { folder: string; set: string; kept: string; disk: Disk }): Promise<void> {
  const { folder, set, kept, disk } = made
  for (const { name } of await disk.list(folder)) {
    if (!name.startsWith(`${set}.`) || name.startsWith(kept) || isTemporary(name)) continue
    try {
      await disk.remove(join(folder, name))
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
  }
}

function jobsInWords(jobs: readonly number[]): string {
  return jobs.length === 1 ? `job ${jobs[0]}` : `the jobs ${jobs.join(', ')}`
}

function isTemporary(name: string): boolean {
  return /\.part(-wal|-shm|-journal)?$/.test(name)
}

async function removeTemporary(folder: string, disk: Disk): Promise<void> {
  for (const { name, kind } of await disk.list(folder)) {
    if (kind === 'folder') await removeTemporary(join(folder, name), disk)
    else if (isTemporary(name)) await disk.remove(join(folder, name))
  }
}
