/** Worker thread that counts the links between the hosts of a job, with its own read-only connection: there may be millions. */
import type { LinkGraph, LinkGraphQuery } from '../../contract/services/linkGraph.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { makeLinkGraph } from './linkGraph.ts'

/** The database, and the graph to make. */
export interface LinkGraphInput {
  databasePath: string
  query: LinkGraphQuery
}

/** Makes the graph. */
export const task: Task<LinkGraphInput, LinkGraph> = async (_, { databasePath, query }) => {
  const store = openReader(databasePath)
  try {
    return makeLinkGraph(store, query)
  } finally {
    store.close()
  }
}
