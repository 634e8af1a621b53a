/** Starts the generation of a run in a thread. */
import type { StoreUser } from '../../storage/storage.ts'
import type { Threads } from '../../world/world.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'
import type { Generated } from './generate.ts'
import type { GenerationInput } from './generation.thread.ts'

const module = new URL('./generation.thread.ts', import.meta.url)

interface ThreadSetting {
  threads: Threads
  databasePath: string
  user: StoreUser | undefined
  settings: () => GenerationSettings
}

/** Generates the next run of a harvest. */
export type Generate = (definition: number, isPlanned: boolean, signal: AbortSignal) => Promise<Generated>

/** Returns the function that generates runs, each in a thread. */
export function generateInThread({ threads, databasePath, user, settings }: ThreadSetting): Generate {
  return (definition, isPlanned, signal) =>
    threads.run<GenerationInput, Generated>(
      module,
      { databasePath, user, definition, isPlanned, settings: settings() },
      { signal },
    )
}
