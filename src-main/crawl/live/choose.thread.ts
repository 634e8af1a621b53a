/** One look at a queue, or the choice of documents, over a connection of its own that only reads. What a person typed may
 *  never end: then this thread does, and nothing has been changed. */
import type { Selection } from '../../contract/live.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { choose, type Chosen } from './choosing.ts'

export interface ChoiceInput {
  databasePath: string
  job: number
  of: Selection
}

export const task: Task<ChoiceInput, Chosen> = async (_, { databasePath, job, of }) => {
  const store = openReader(databasePath)
  try {
    return choose(store, job, of)
  } finally {
    store.close()
  }
}
