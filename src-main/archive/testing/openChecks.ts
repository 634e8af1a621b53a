/** Test support: tasks and checks over an archive, opened as the engine opens them. */
import type { Store } from '../../storage/storage.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { openPreservation, type Preservation } from '../check/preservation.ts'
import type { Archive } from '../store/archive.ts'

interface ChecksParts {
  archive: Archive
  store: Store
  world: World
  onBug: (error: unknown) => void
}

/** Opens tasks and checks. `close` ends both, in the order of the engine. */
export async function openChecks(
  parts: ChecksParts,
): Promise<{ tasks: Tasks; preservation: Preservation; close: () => Promise<void> }> {
  const tasks = openTasks(parts)
  const preservation = await openPreservation({ ...parts, tasks })
  return {
    tasks,
    preservation,
    async close() {
      await tasks.close()
      await preservation.close()
    },
  }
}
