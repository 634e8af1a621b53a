/** For tests of what is there before an index is whole. */
import type { World } from '../world/world.ts'

/** A world whose threads do nothing to an index before they may. */
export function held(world: World) {
  const waiting: (() => void)[] = []
  let arrived = Promise.withResolvers<void>()
  const run: World['threads']['run'] = async (module, input, options) => {
    if (module.pathname.endsWith('/buildIndex.thread.ts')) {
      await new Promise<void>((release) => {
        waiting.push(release)
        arrived.resolve()
      })
    }
    return world.threads.run(module, input, options)
  }
  const threads = Object.assign(Object.create(world.threads) as World['threads'], { run })
  return {
    world: { ...world, threads },
    /** A thread wants to begin. */
    waits: () => arrived.promise,
    async step(): Promise<void> {
      await arrived.promise
      arrived = Promise.withResolvers<void>()
      waiting.shift()?.()
    },
  }
}
