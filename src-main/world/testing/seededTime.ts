/** Virtual time: nothing waits, the clock jumps to the next moment at which something is due. `run` is the event loop of a
 *  seeded world. Work that Node does on its own threads without listing it as a resource (an asynchronous gzip of a large
 *  body) happens in real time, outside this clock: a run repeats exactly only if the code under test uses nothing but the
 *  world. */
import { setTimeout as realSleep } from 'node:timers/promises'
import type { Clock } from '../world.ts'

/** Number of checks of an idle world, with pauses, before it counts as stuck: they take much longer than any work on Node's
 *  own threads. Checks are counted instead of time, which also passes while this process does not run. */
const silentLooksMax = 2_000
const checkEveryMs = 1

/** Resources that Node lists while work is in progress that continues without the clock. */
const underWay = new Set(['Immediate', 'FSReqPromise', 'FSReqCallback'])

/** The time of a seeded world. */
export interface SeededTime {
  nowMs(): number
  /** Sets the machine's clock: from now on it shows `byMs` more, or less. */
  setClock(byMs: number): void
  /** Returns the time of the machine's clock, which may have been set. */
  clockMs(): number
  /** Suspends the machine for this long, on a system whose monotonic clock counts that (macOS, Windows): timers that became
   *  due in the meantime fire at once when it wakes up, in the order in which they were due. On Linux the monotonic clock
   *  stops during a suspend, which to a program is the same as `setClock`. */
  suspend(durationMs: number): void
  /** Calls `act` in `delayMs` (fractions count); the returned function cancels it. */
  after(delayMs: number, act: () => void): () => void
  /** Real work that virtual time must wait for, such as loading a module. */
  outside<T>(work: Promise<T>): Promise<T>
  /** Reports a bug in code that is not awaited (a server's handler): it ends the run. */
  fail(error: unknown): void
  /** Drives the world until `promise` settles or `enough` returns true; the result tells which of the two happened. */
  run(promise: Promise<unknown>, enough?: () => boolean): Promise<'settled' | 'enough'>
}

interface Timer {
  dueMs: number
  act: () => void
}

/** Returns virtual time that begins at `startMs`. */
export function seededTime(startMs: number): SeededTime {
  let nowMs = startMs
  let clockOffMs = 0
  let outsideCount = 0
  let bug: { error: unknown } | undefined
  /** Sorted by due time, the next one last; of two with the same due time the older one fires first. */
  const timers: Timer[] = []

  function after(delayMs: number, act: () => void): () => void {
    const timer = { dueMs: nowMs + Math.max(0, delayMs), act }
    let [low, high] = [0, timers.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((timers[middle]?.dueMs ?? 0) > timer.dueMs) low = middle + 1
      else high = middle
    }
    timers.splice(low, 0, timer)
    return () => {
      const at = timers.indexOf(timer)
      if (at >= 0) timers.splice(at, 1)
    }
  }

  async function run(promise: Promise<unknown>, enough = () => false): Promise<'settled' | 'enough'> {
    let settled = false
    const settle = () => {
      settled = true
    }
    promise.then(settle, settle)
    let silentLooks = 0
    for (;;) {
      await quiet()
      if (bug) throw bug.error
      if (settled) return 'settled'
      if (enough()) return 'enough'
      const timer = outsideCount === 0 ? timers.pop() : undefined
      if (timer) {
        nowMs = Math.max(nowMs, timer.dueMs)
        timer.act()
        silentLooks = 0
        continue
      }
      silentLooks = outsideCount > 0 ? 0 : silentLooks + 1
      if (silentLooks > silentLooksMax) {
        throw new Error('the seeded world stands still: what is awaited waits for something that no timer will bring')
      }
      await realSleep(checkEveryMs)
    }
  }

  return {
    nowMs: () => nowMs,
    setClock(byMs) {
      clockOffMs += byMs
    },
    clockMs: () => nowMs + clockOffMs,
    suspend(durationMs) {
      nowMs += durationMs
    },
    after,
    async outside(work) {
      outsideCount += 1
      try {
        return await work
      } finally {
        outsideCount -= 1
      }
    },
    fail: (error) => {
      bug ??= { error }
    },
    run,
  }
}

/** Returns the clock of a machine. */
export function seededClock(time: SeededTime): Clock {
  return {
    now: () => Math.floor(time.clockMs()),
    elapsed: () => time.nowMs(),
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          takeBack()
          reject(signal?.reason)
        }
        const takeBack = time.after(durationMs, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
  }
}

/** Resolves when no work is left that continues without the clock. */
async function quiet(): Promise<void> {
  do await new Promise<void>((resolve) => void setImmediate(resolve))
  while (process.getActiveResourcesInfo().some((kind) => underWay.has(kind)))
}
