/** The floor's door: indexes that are derived from the archive. All of it may be deleted at any time; it is built again.
 *
 *  Two layers. For each archive file the CDXJ lines of its captures (`cdx/<job>/<file>.cdxj`), from the job's metadata
 *  where the harvester wrote them, else by reading the file. For each set of jobs a database made of them
 *  (`capture/<set>.<files>.db`). A file is written under a temporary name and renamed, so what has its name is whole, and
 *  being killed at any moment leaves at most temporary files, which the next start removes. */
import { join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { Fault } from '../contract/faults.ts'
import { openDerived } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { affectedBy, type Affected } from './affected.ts'
import { captureIndexOver, type BuildProgress, type CaptureIndex } from './captureIndex.ts'
import { captureSchema } from './captureIndex.sql.ts'
import { Growth } from './growth.ts'
import { jobSet } from './jobSet.ts'
import { removeTemporary } from './leftovers.ts'
import { keptIn } from './manifest.ts'

export { captureFields, type CaptureFilter } from './captureFilter.ts'
export type { CaptureQuery } from './captureQuery.ts'
export { momentAt } from './asked.ts'
export type { Asked, BuildProgress, CaptureIndex, IndexedCapture, Moment } from './captureIndex.ts'
export type { Completeness } from './completeness.ts'

export interface BuildOptions {
  signal?: AbortSignal
  onProgress?: (progress: BuildProgress) => void
  /** The index is given before it is whole and grows while it is used: `isGrowing`, `whole`. Where it is being built already for
   *  somebody who waits, and from nothing, it is waited for all the same. */
  atOnce?: boolean
}

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
  /** Two that want the same index wait for one growth. */
  const growing = new Map<string, Growth>()

  function growthOf(jobs: readonly number[], { signal, onProgress, atOnce = false }: BuildOptions): Growth {
    const key = jobs.join('-')
    const known = growing.get(key)
    if (known) return known
    const jobsFound = jobs.filter((job) => archive.filesOfJob(job).length > 0)
    if (jobsFound.length === 0) throw new Fault('notFound', `the archive has no files of ${jobsInWords(jobs)}`)
    const parts = { world, archive, lineFolder, captureFolder, jobs, jobsFound, signal, onProgress }
    const growth = new Growth({ ...parts, isReadAtOnce: atOnce })
    growing.set(key, growth)
    const end = () => growing.delete(key)
    growth.whole.then(end, end)
    return growth
  }

  return {
    affectedBy: (file, options) => affectedBy({ folder: lineFolder, world, archive }, file, options),
    async captureIndexFor(asked, build = {}) {
      const jobs = jobSet(asked)
      const growth = growthOf(jobs, build)
      const reader = build.atOnce ? await growth.read() : undefined
      return reader ? captureIndexOver(reader, { standing: growth, world }) : wholeIndex(await growth.path, world)
    },
  }
}

function wholeIndex(path: string, world: World): CaptureIndex {
  const store = openDerived(path, captureSchema)
  const kept = keptIn(store)
  if (kept === undefined) throw new Error(`${path} lost its manifest`)
  const { manifest, captures } = kept
  const filesTotal = manifest.files.length
  const progress = { filesDone: filesTotal, filesTotal, jobsDone: manifest.jobsFound.length, captures }
  const standing = { manifest, isGrowing: false, progress, whole: Promise.resolve() }
  return captureIndexOver(store, { standing, world })
}

function jobsInWords(jobs: readonly number[]): string {
  return jobs.length === 1 ? `job ${jobs[0]}` : `the jobs ${jobs.join(', ')}`
}
