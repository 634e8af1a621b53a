/** Stories in a row, on as many threads as the machine has cores. */
import type { World } from '../world/world.ts'
import type { StoryTold, StoryWanted } from './tell.thread.ts'

const module = new URL('./tell.thread.ts', import.meta.url)

export interface Telling {
  first: number
  count: number
  /** By the clock of `elapsed`: none is begun afterwards. */
  untilMs?: number
}

/** `onTold` in the order in which they end. */
export async function tellMany(
  { threads, clock }: Pick<World, 'threads' | 'clock'>,
  { first, count, untilMs = Infinity }: Telling,
  onTold: (story: StoryTold) => void,
): Promise<void> {
  let seed = first
  const one = async () => {
    while (seed < first + count && clock.elapsed() < untilMs)
      onTold(await threads.run<StoryWanted, StoryTold>(module, { seed: seed++ }))
  }
  await Promise.all(Array.from({ length: threads.count }, one))
}
