/** Delays builds, for tests of indexes that are still incomplete. */
import type { World } from '../../world/world.ts'

/** Creates a world whose threads wait for permission before they work on an index. As in a pool, an aborted task gives up its
 *  turn. */
export function holdBuilds(world: World) {
  const waiting: { begin: () => void; fail: (error: unknown) => void }[] = []
  let arrived = Promise.withResolvers<void>()
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((begin, fail) => {
      const place = { begin, fail }
      waiting.push(place)
      const onAbort = () => {
        if (waiting.includes(place)) waiting.splice(waiting.indexOf(place), 1)
        fail(signal?.reason)
      }
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort)
      arrived.resolve()
      arrived = Promise.withResolvers<void>()
    })
  const run: World['threads']['run'] = async (module, input, options) => {
    if (module.pathname.endsWith('/buildIndex.thread.ts')) await turn(options?.signal)
    return world.threads.run(module, input, options)
  }
  const threads = Object.assign(Object.create(world.threads) as World['threads'], { run })
  /** A thread wants to begin. */
  async function waits(): Promise<void> {
    while (waiting.length === 0) await arrived.promise
  }
  return {
    world: { ...world, threads },
    waits,
    /** Number of tasks that wait to begin. */
    waiting: () => waiting.length,
    async step(): Promise<void> {
      await waits()
      waiting.shift()?.begin()
    },
    /** It fails instead. */
    async fail(error: Error): Promise<void> {
      await waits()
      waiting.shift()?.fail(error)
    },
  }
}
