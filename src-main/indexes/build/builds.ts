/** The builds that are running, one per selection and shared by all callers that want its index, and the eviction of databases
 *  between builds. */
import { basename } from 'node:path'
import { message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Selected } from '../../archive/copies/selected.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { selectionOf, selectionMessage, type Selection } from '../../contract/shapes/selection.ts'
import type { World } from '../../world/world.ts'
import type { BuildProgress } from '../captures/captureIndex.ts'
import type { BuildTasks } from '../databases/buildTask.ts'
import { evict } from '../databases/eviction.ts'
import { countUse } from '../databases/usage.ts'
import { lineFile } from '../lines/captureLines.ts'
import { selectionName } from '../model/selectionName.ts'
import { IndexBuild } from './indexBuild.ts'

interface Parts {
  world: World
  archive: Archive
  tasks: BuildTasks
  lineFolder: string
  captureFolder: string
  /** Limit for the bytes of all databases in `captureFolder`. */
  bytesMax: () => number
  /** Selections whose databases are evicted last. */
  namedSelections: () => readonly Selection[]
  /** Stops all builds. */
  signal: AbortSignal
}

interface Wanted {
  onProgress?: (progress: BuildProgress) => void
  /** The index is read before it is complete. */
  atOnce?: boolean
}

/** The running builds. */
export interface Builds {
  /** The running build of a selection, or a new one. Throws `Fault` notFound if the archive has none of its files. */
  of(selection: Selection, selected: Selected, wanted: Wanted): IndexBuild
  /** Keeps the database of a selection from being evicted until the returned function is called. */
  countUse(selection: Selection): () => void
  /** Whether anyone reads or waits for a database of this set. */
  isUsed(set: string): boolean
  /** Whether any database is being built. */
  readonly isBuilding: boolean
  /** Resolves when the builds that are running now have stopped writing. */
  over(): Promise<unknown>
  /** Resolves when no eviction is running. */
  evicted(): Promise<void>
}

/** Makes the set of builds; none is running. */
export function openBuilds(parts: Parts): Builds {
  const { world, archive, tasks, lineFolder, captureFolder, bytesMax, namedSelections, signal } = parts
  const builds = new Map<string, IndexBuild>()
  /** Time of last use by file name. */
  const used = new Map<string, number>()
  /** Number of readers and waiters by the name of the selection. */
  const users = new Map<string, number>()
  /** Builds wait for evictions to end. */
  let evicting: Promise<void> = Promise.resolve()

  function evictNow(): Promise<void> {
    const named = new Set(namedSelections().map(selectionName))
    const setOf = (name: string) => name.slice(0, name.indexOf('.'))
    return evict({
      ...{ folder: captureFolder, disk: world.disk, suffix: '.db', used, bytesMax: bytesMax() },
      isInUse: (name) => users.has(setOf(name)),
      isNamed: (name) => named.has(setOf(name)),
    })
  }

  /** `before`: an earlier build of this selection that is being stopped. */
  function begin(
    { selection, jobs, jobsMissing, files }: { selection: Selection } & Selected,
    { onProgress, atOnce = false }: Wanted,
    before: IndexBuild | undefined,
  ): IndexBuild {
    const key = selectionName(selection)
    const build = new IndexBuild({
      ...{ world, archive, tasks, lineFolder, captureFolder, signal, onProgress, jobs, jobsMissing },
      ...{ selection: selectionOf(selection), files: files.map((file) => lineFile(lineFolder, file)) },
      isReadAtOnce: atOnce,
      ready: Promise.all([evicting, before?.over]),
    })
    builds.set(key, build)
    const noteUse = (path: string) => void used.set(basename(path), world.clock.now())
    // Those who wait for the build get its error.
    build.path.then(noteUse, () => undefined)
    void build.over.then(() => {
      if (builds.get(key) === build) builds.delete(key)
      if (builds.size === 0) evicting = evicting.then(evictNow)
    })
    return build
  }

  return {
    of(selection, selected, wanted) {
      const known = builds.get(selectionName(selection))
      if (known?.canBeHeld) return known
      if (selected.files.length === 0 && selected.jobs.length === selected.jobsMissing.length)
        throw new Fault(
          'notFound',
          selectionOf(selection).all
            ? message('archive.empty')
            : message('archive.noFilesOf', { selection: selectionMessage(selection) }),
        )
      return begin({ selection, ...selected }, wanted, known)
    },
    countUse: (selection) => countUse(users, selectionName(selection)),
    isUsed: (set) => users.has(set),
    get isBuilding() {
      return builds.size > 0
    },
    over: () => Promise.all([...builds.values()].map(({ over }) => over)),
    evicted: () => evicting,
  }
}
