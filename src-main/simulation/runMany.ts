/** Runs a range of scenarios, one thread per core. */
import type { World } from '../world/world.ts'
import type { ScenarioResult, ScenarioRequest } from './scenario.thread.ts'

const module = new URL('./scenario.thread.ts', import.meta.url)

/** The scenarios with the seeds from `first` on. */
export interface ScenarioRange {
  first: number
  count: number
  /** In milliseconds of `clock.elapsed()`: no scenario starts afterwards. */
  untilMs?: number
}

/** Calls `onResult` in the order in which scenarios end. */
export async function runMany(
  { threads, clock }: Pick<World, 'threads' | 'clock'>,
  { first, count, untilMs = Infinity }: ScenarioRange,
  onResult: (scenario: ScenarioResult) => void,
): Promise<void> {
  let seed = first
  const one = async () => {
    while (seed < first + count && clock.elapsed() < untilMs)
      onResult(await threads.run<ScenarioRequest, ScenarioResult>(module, { seed: seed++ }))
  }
  await Promise.all(Array.from({ length: threads.count }, one))
}
