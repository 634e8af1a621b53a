/** Notices that somebody set the machine's clock, or that the machine was suspended, and puts what waits for a moment into the new
 *  time. Nothing else has to be done: in memory there are only durations, which the monotonic clock counts. */
import type { Engine } from './engine.ts'

/** A clock that is kept right by the network moves by less between two looks. */
const toleranceMs = 1_000
/** Longest time between two looks, of which there are several a second, that a busy thread explains. What the monotonic clock
 *  counted beyond it is a suspend, where it goes on meanwhile (see `world/real.ts`). */
const betweenLooksMsMax = 30_000
/** No retry is put off for longer than a day: what waits for more had its time from a clock that went wrong while nobody looked. */
export const retryMsMax = 86_400_000

export interface ClockWatch {
  /** By how much the wall clock has moved since the last look beyond the time that this program has lived through; 0: by
   *  nothing that matters. */
  look(): number
}

export function clockWatch({ world: { clock } }: Pick<Engine, 'world'>): ClockWatch {
  let last = { now: clock.now(), elapsed: clock.elapsed() }
  return {
    look() {
      const before = last
      last = { now: clock.now(), elapsed: clock.elapsed() }
      const livedMs = Math.min(last.elapsed - before.elapsed, betweenLooksMsMax)
      const byMs = Math.round(last.now - before.now - livedMs)
      return Math.abs(byMs) > toleranceMs ? byMs : 0
    },
  }
}

type Parts = Pick<Engine, 'store' | 'sql' | 'world'>

/** The clock was set, or the machine was suspended, while an engine ran. */
export function shiftDueTimes({ log, running, ...parts }: Pick<Engine, 'log' | 'running'> & Parts, byMs: number): void {
  move(parts, byMs)
  const seconds = Math.abs(Math.round(byMs / 1000))
  const text =
    byMs < 0
      ? `The clock of this machine was set back by ${seconds} s; the job goes on.`
      : `The clock of this machine was set forward by ${seconds} s, or the machine was suspended; the job goes on.`
  for (const { id } of running()) log(id, 'info', text)
}

/** At the start of an engine: when the clock was set back while none ran, or too late for it to see, what was written down lies
 *  ahead, and so does every retry, by as much. */
export function shiftBackUnseen(parts: Parts): void {
  const nowMs = parts.world.clock.now()
  const byMs = nowMs - (parts.sql.latest.get({})?.atMs ?? nowMs)
  if (byMs < -toleranceMs) move(parts, byMs)
}

/** What waits for a moment that lies ahead waits for as long as before where the clock was set back. Where it was set forward, that
 *  moment may have come: nobody can tell a clock that was put right from a night in which the machine was suspended. The patience
 *  with servers is moved both ways: nobody could try one meanwhile. */
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
