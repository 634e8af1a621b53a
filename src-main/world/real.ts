/** The real world. `world.ts` documents the methods; each one here is a thin, bounded call of Node. */
import { randomInt, randomUUID } from 'node:crypto'
import { hostname, platform, userInfo } from 'node:os'
import process from 'node:process'
import type { Network, Operator, Programs, World } from './world.ts'
import { realDisk } from './realDisk.ts'
import { realMemory } from './realMemory.ts'
import { realThreads } from './realThreads.ts'

/** Returns the world of this process. */
export function realWorld(): World {
  return {
    clock: {
      now: () => Date.now(),
      elapsed: monotonicMs,
      sleep: sleepFor,
    },
    chance: { below: (bound) => randomInt(bound), uuid: () => randomUUID() },
    disk: realDisk,
    network,
    threads: realThreads,
    programs,
    memory: realMemory,
    operator: operator(),
  }
}

// The code of the network and of programs is loaded on use: TLS and child processes take longer to load than all else that a thread
// needs, and most threads and commands use neither.
const network: Network = {
  connect: async (target, signal) => (await import('./realNetwork.ts')).realNetwork.connect(target, signal),
}
const programs: Programs = {
  system: platform(),
  run: async (program) => (await import('./realPrograms.ts')).runProgram(program),
}

/** Account and host as of the start of the process. */
function operator(): Operator {
  return { account: account(), host: hostname() }
}

function account(): string {
  try {
    return userInfo().username
  } catch (error) {
    // The user id has no entry in the system's list of accounts.
    if (!(error instanceof Error && 'code' in error)) throw error
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Time of libuv's uv_hrtime(), which Node's timers use too; performance.now() is the same, but starts at zero in each
 *  thread. While the machine is suspended it stops on Linux (CLOCK_MONOTONIC): a timer has as long to go afterwards as
 *  before. It continues on macOS (mach_continuous_time, since libuv 1.39) and on Windows (QueryPerformanceCounter): a timer
 *  that became due in the meantime fires when the machine wakes up. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Longest timer: Node's timers hold 31 bits of milliseconds and fire at once beyond, so longer sleeps consist of several. */
const timerMsMax = 2 ** 31 - 1

/** Sleeps by the monotonic clock, in timers of at most `timerMsMax`. */
function sleepFor(durationMs: number, signal?: AbortSignal): Promise<void> {
  const endMs = monotonicMs() + durationMs
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const onTimer = () => {
      const leftMs = endMs - monotonicMs()
      // A timer may fire a fraction of a millisecond early; a longer remainder is slept in a further timer.
      if (leftMs >= 1) return void (timer = setTimeout(onTimer, Math.min(leftMs, timerMsMax)))
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    let timer = setTimeout(onTimer, Math.min(durationMs, timerMsMax))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
