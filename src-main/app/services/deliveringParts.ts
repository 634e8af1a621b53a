/** What plans and outputs work with. */
import type { Archive } from '../../archive/store/archive.ts'
import type { ReplicaPlace } from '../../delivery/delivery.ts'
import type { Notifications } from '../../notifications/notifications.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'

/** The same for both. */
export interface DeliveringParts {
  store: Store
  world: World
  archive: Archive
  databasePath: string
  jobsFolder: string
  indexesFolder: string
  replicas: ReplicaPlace[]
  notifications: Pick<Notifications, 'report'>
  /** Whether they run in this process. */
  isEngine: boolean
  /** Resolves when archived files can be read. */
  ready: Promise<void>
  onProblem(error: unknown): void
}
