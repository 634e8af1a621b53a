/** The choice of documents of a queue, over a connection of its own that only reads: a queue of millions takes seconds. */
import type { Selection } from '../../contract/services/live.ts'
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
