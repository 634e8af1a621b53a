/** Worker thread that selects documents of a queue, with its own read-only connection: a queue of millions takes seconds. */
import type { Selection } from '../../contract/services/live.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { choose, type Chosen } from './choosing.ts'

/** The job, and the selection from its queue. */
export interface ChoiceInput {
  databasePath: string
  job: number
  of: Selection
}

/** Selects the documents. */
export const task: Task<ChoiceInput, Chosen> = async (_, { databasePath, job, of }) => {
  const store = openReader(databasePath)
  try {
    return choose(store, job, of)
  } finally {
    store.close()
  }
}
