/** Worker thread that generates the jobs of one run, with its own connection: a snapshot of 100,000 domains takes minutes. */
import { openJobs } from '../../crawl/crawl.ts'
import { openStore, type StoreUser } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'
import { openTemplates } from '../templates/templates.ts'
import { generate, type Generated } from './generate.ts'

/** The database, and the run to generate. */
export interface GenerationInput {
  databasePath: string
  user: StoreUser | undefined
  definition: number
  isPlanned: boolean
  settings: GenerationSettings
}

/** Generates the jobs. */
export const task: Task<GenerationInput, Generated> = async ({ world, signal }, input) => {
  const { databasePath, user, definition, isPlanned, settings } = input
  const store = openStore(databasePath, { user })
  try {
    const [jobs, templates] = [openJobs(store, world), openTemplates(store, world)]
    return generate({ ...{ store, clock: world.clock, jobs, templates }, settings, signal }, definition, isPlanned)
  } finally {
    store.close()
  }
}
