/** The world as it is. See `world.ts` for the promises; every method here is a thin, bounded call of Node. */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'
import { realDisk } from './realDisk.ts'
import { realNetwork } from './realNetwork.ts'
import { realThreads } from './realThreads.ts'

export function realWorld(): World {
  return {
    clock: {
      now: () => Date.now(),
      sleep: async (durationMs, signal) => {
        await sleep(durationMs, undefined, signal ? { signal } : {})
      },
    },
    chance: { below: (bound) => randomInt(bound), uuid: () => randomUUID() },
    disk: realDisk,
    network: realNetwork,
    threads: realThreads,
  }
}
