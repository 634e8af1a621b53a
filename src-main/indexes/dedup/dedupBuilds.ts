/** Builds deduplication indexes (`dedup/<jobs>-<types>.<files>.dedup`): one at a time, each as a task; callers that want the same one share
 *  it. An index that lacks files has another name than the complete one, so it never passes for it. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import { canonicaliserVersion } from '../../formats/cdx/canonicaliser.ts'
import type { Task } from '../../tasks/task.ts'
import { buildTask, type Built } from '../databases/buildTask.ts'
import { evict } from '../databases/eviction.ts'
import { removeOthers, removeTemporaryOf } from '../databases/leftovers.ts'
import { sharedBuilds } from '../databases/sharedBuilds.ts'
import { countUse } from '../databases/usage.ts'
import { captureLines, lineFile, type FromLinesParts, type LineFile, type MissingFile } from '../lines/captureLines.ts'
import { filesName, selectionName } from '../model/selectionName.ts'
import type { DedupInput, DedupReport } from './buildDedup.thread.ts'
import { dedupFormat, openDedupFile, type DedupManifest } from './dedupFile.ts'

/** The index that a caller wants. */
export interface DedupAsked {
  jobs: readonly number[]
  /** Media types whose captures are left out. */
  excludedTypes: readonly string[]
}

/** An index, which is not evicted until `leave` is called. */
export interface DedupIndex {
  path: string
  manifest: DedupManifest
  leave(): void
}

/** The deduplication indexes, and the builds that make them. */
export interface DedupBuilds {
  /** The index of these jobs, built if there is none for their current files. Rejects with `DiskFault`, and with `Fault` stopped when the
   *  task is stopped or the indexes are closed. */
  index(asked: DedupAsked): Promise<DedupIndex>
  /** Whether anyone uses the index with this file name. */
  isUsed(name: string): boolean
  /** Whether any index is being built, or looked for. */
  readonly isBuilding: boolean
  /** Resolves when nothing is being written. */
  over(): Promise<void>
}

const dedupSuffix = '.dedup'

/** Makes the set of builds; none is running. */
export function openDedupBuilds({ folder, lines, tasks, bytesMax, linesMade, signal }: FromLinesParts): DedupBuilds {
  const { world, archive } = lines
  /** Time of last use by file name. */
  const used = new Map<string, number>()
  /** Number of users by file name. */
  const users = new Map<string, number>()
  const builds = sharedBuilds<Omit<DedupIndex, 'leave'>>()

  async function make(asked: DedupAsked): Promise<Omit<DedupIndex, 'leave'>> {
    const { files: selected, jobsMissing } = archive.selected({ jobs: [...asked.jobs] })
    const files = selected.map((file) => lineFile(lines.folder, file))
    const kept = await keptIn(nameOf(asked, files, []))
    if (kept) return kept
    const order = {
      subject: message('index.subject.dedup', { what: selectionMessage({ jobs: asked.jobs }) }),
      filesTotal: files.length,
    }
    return builds.inTurn(() =>
      buildTask(tasks, order, (report, stopped) => build(asked, { files, jobsMissing, report, stopped })),
    )
  }

  async function build(
    asked: DedupAsked,
    {
      files,
      jobsMissing,
      report,
      stopped,
    }: { files: readonly LineFile[]; jobsMissing: number[]; report: Task['progress']; stopped: AbortSignal },
  ): Promise<Built<Omit<DedupIndex, 'leave'>>> {
    const either = AbortSignal.any([signal, stopped])
    either.throwIfAborted()
    await linesMade()
    const { files: read, filesMissing } = await captureLines(lines, files, { signal: either })
    const missing = filesMissing.length
    const name = nameOf(asked, read, filesMissing)
    const kept = await keptIn(name)
    if (kept) return { result: kept, missing }
    const jobsFound = asked.jobs.filter((job) => !jobsMissing.includes(job))
    const manifest = { jobsFound, jobsMissing, filesMissing, excludedTypes: [...asked.excludedTypes] }
    const input: DedupInput = { path: join(folder, name), files: read, manifest }
    const module = new URL('./buildDedup.thread.ts', import.meta.url)
    const options = { signal: either, onReport: ({ filesDone }: DedupReport) => report({ filesDone }) }
    try {
      await world.threads.run<DedupInput, void, DedupReport>(module, input, options)
    } finally {
      // A thread that was ended leaves gigabytes.
      await removeTemporaryOf(name, { folder, disk: world.disk })
    }
    await removeOthers({ folder, set: setOf(name), kept: name, disk: world.disk })
    const isInUse = (other: string) => other === name || users.has(other)
    await evict({
      folder,
      disk: world.disk,
      suffix: dedupSuffix,
      used,
      bytesMax: bytesMax(),
      isInUse,
      isNamed: () => false,
    })
    const built = await keptIn(name)
    if (built === undefined) throw new Error(`${name} was built and is not complete`)
    return { result: built, missing }
  }

  /** The index with this name; undefined if there is none. */
  async function keptIn(name: string): Promise<Omit<DedupIndex, 'leave'> | undefined> {
    const path = join(folder, name)
    if (!(await world.disk.stat(path))) return undefined
    const file = await openDedupFile(path, world.disk)
    await file?.close()
    return file && { path, manifest: file.manifest }
  }

  return {
    async index(asked) {
      signal.throwIfAborted()
      const index = await builds.of(setName(asked), () => make(asked))
      const name = index.path.slice(folder.length + 1)
      used.set(name, world.clock.now())
      return { ...index, leave: countUse(users, name) }
    },
    isUsed: (name) => users.has(name),
    get isBuilding() {
      return builds.isBuilding
    },
    over: builds.over,
  }
}

/** The name of the jobs and types, without a dot. */
function setName({ jobs, excludedTypes }: DedupAsked): string {
  const types = createHash('sha256').update(excludedTypes.toSorted().join('\n')).digest('hex').slice(0, 8)
  return `${selectionName({ jobs })}-${types}`
}

function nameOf(asked: DedupAsked, files: readonly LineFile[], missing: readonly MissingFile[]): string {
  const state = [...files.map(({ name }) => name), ...missing.map(({ name }) => `-${name}`)]
  return `${setName(asked)}.${filesName([dedupFormat, canonicaliserVersion, ...state])}${dedupSuffix}`
}

function setOf(name: string): string {
  return name.slice(0, name.indexOf('.'))
}
