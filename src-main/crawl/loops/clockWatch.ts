/** Detects that the system clock was set or the machine was suspended, and moves due times accordingly. Memory holds only
 *  durations, which the monotonic clock counts. */
import { message } from '../../contract/words/message.ts'
import type { ClockStatements } from '../model/clock.sql.ts'
import type { Engine } from './engine.ts'

/** Largest deviation to ignore: a network-synchronized clock moves by less between two calls. */
const toleranceMs = 1_000
/** Longest time between two calls that a busy thread explains; usually there are several calls per second. Time beyond it on
 *  the monotonic clock, which continues during a suspend, counts as a suspend (see `world/real.ts`). */
const betweenChecksMsMax = 30_000
/** Longest wait for a retry (one day): a later due time was computed while the clock was wrong. */
export const retryMsMax = 86_400_000

/** Watch over the wall clock. */
export interface ClockWatch {
  /** Returns how far the wall clock has moved since the last call beyond the time that passed, in milliseconds; 0 for small
   *  deviations. */
  deviationMs(): number
}

/** Begins to watch the clock. */
export function clockWatch({ world: { clock } }: Pick<Engine, 'world'>): ClockWatch {
  let last = { now: clock.now(), elapsed: clock.elapsed() }
  return {
    deviationMs() {
      const before = last
      last = { now: clock.now(), elapsed: clock.elapsed() }
      const livedMs = Math.min(last.elapsed - before.elapsed, betweenChecksMsMax)
      const byMs = Math.round(last.now - before.now - livedMs)
      return Math.abs(byMs) > toleranceMs ? byMs : 0
    },
  }
}

type Parts = Pick<Engine, 'store' | 'world'> & { sql: ClockStatements }

/** Moves due times after the clock was set, or the machine was suspended, while an engine ran. */
export function shiftDueTimes({ log, running, ...parts }: Pick<Engine, 'log' | 'running'> & Parts, byMs: number): void {
  move(parts, byMs)
  const seconds = Math.abs(Math.round(byMs / 1000))
  const line = message(byMs < 0 ? 'jobLog.clock.back' : 'jobLog.clock.forward', { seconds })
  for (const { id } of running()) log(id, 'info', line)
}

/** Moves due times at the start of an engine if recorded times lie in the future, because the clock was set back while no
 *  engine ran or too late for the engine to notice. Every due time moves by the same amount. */
export function shiftBackUnseen(parts: Parts): void {
  const nowMs = parts.world.clock.now()
  const byMs = nowMs - (parts.sql.latest.get({})?.atMs ?? nowMs)
  if (byMs < -toleranceMs) move(parts, byMs)
}

/** Moves due times by `byMs`. If the clock was set back, they move with it, so that the remaining wait stays the same. If it
 *  was set forward, they stay, since a corrected clock cannot be distinguished from a night in which the machine was suspended.
 *  Deadlines of unavailable servers move both ways: no server could be tried in the meantime. */
function move({ store, sql, world }: Parts, byMs: number): void {
  const nowMs = world.clock.now()
  store.transaction(() => {
    if (byMs < 0) {
      sql.moveDue.run({ byMs, nowMs })
      sql.moveReady.run({ byMs, nowMs })
    }
    sql.moveGivingUp.run({ byMs })
    sql.clockIsRight.run({ nowMs })
  })
}
