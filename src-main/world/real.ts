/** The world as it is. See `world.ts` for the promises; every method here is a thin, bounded call of Node. */
import { randomInt, randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Operator, World } from './world.ts'
import { realDisk } from './realDisk.ts'
import { realNetwork } from './realNetwork.ts'
import { realPrograms } from './realPrograms.ts'
import { realThreads } from './realThreads.ts'

export function realWorld(): World {
  return {
    clock: {
      now: () => Date.now(),
      elapsed: () => performance.now(),
      sleep: sleepFor,
    },
    chance: { below: (bound) => randomInt(bound), uuid: () => randomUUID() },
    disk: realDisk,
    network: realNetwork,
    threads: realThreads,
    programs: realPrograms,
    operator: operator(),
  }
}

function operator(): Operator {
  return { account: account(), host: hostname() }
}

function account(): string {
  try {
    return userInfo().username
  } catch (error) {
    // An identity without an entry in the system's list of accounts.
    if (!(error instanceof Error && 'code' in error)) throw error
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Node's timers hold 31 bits of milliseconds and fire at once beyond: longer sleeps are made of several. */
const timerMsMax = 2 ** 31 - 1

function sleepFor(durationMs: number, signal?: AbortSignal): Promise<void> {
  const endMs = performance.now() + durationMs
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const onTimer = () => {
      const leftMs = endMs - performance.now()
      // A timer may fire a fraction of a millisecond early; what is left beyond that is the next stretch.
      if (leftMs >= 1) return void (timer = setTimeout(onTimer, Math.min(leftMs, timerMsMax)))
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    let timer = setTimeout(onTimer, Math.min(durationMs, timerMsMax))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
