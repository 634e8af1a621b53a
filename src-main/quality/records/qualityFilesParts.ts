/** What the quality files need from the engine. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'

/** Parts of the engine, and places. */
export interface QualityFilesParts {
  store: Store
  world: World
  archive: Archive
  jobs: Pick<Jobs, 'summary'>
  /** `<archive>/quality`. */
  folder: string
  quarantineFolder: string
  software: string
  /** Whether this process works on the archive: only then are files stored that a kill left. */
  isEngine: boolean
  /** Resolves when interrupted stores have been finished: from then on this thread may store files. */
  ready: Promise<void>
  /** Takes a fault of a replica or of the disk that no caller waits for. */
  onProblem: (error: unknown) => void
}
