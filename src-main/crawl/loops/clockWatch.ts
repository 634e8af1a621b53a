/** Notices that somebody set the machine's clock, or that it slept. What is in memory counts in the old time, so everything
 *  under way is laid down as at a kill and taken up again; what the database holds is put into the new time first. */
import type { Engine } from './engine.ts'

/** A clock that is kept right by the network moves by less between two looks. */
const toleranceMs = 1_000
/** No retry is put off for longer than a day: what waits for more had its time from a clock that went wrong while nobody looked. */
export const retryMsMax = 86_400_000

export interface ClockWatch {
  /** By how much the clock was set since the last look; 0: it was not. */
  look(): number
}

export function clockWatch({ world: { clock } }: Pick<Engine, 'world'>): ClockWatch {
  let offMs = clock.now() - clock.elapsed()
  return {
    look() {
      const byMs = Math.round(clock.now() - clock.elapsed() - offMs)
      offMs += byMs
      return Math.abs(byMs) > toleranceMs ? byMs : 0
    },
  }
}

/** The clock was set while an engine ran. How long a job has run is not changed by it. */
export function putIntoNewTime({ store, sql, world, signal, say, running }: Engine, byMs: number): void {
  if (signal.aborted) return
  const text = `The clock of this machine was set ${byMs < 0 ? 'back' : 'forward'} by ${Math.abs(Math.round(byMs / 1000))} s, or it slept; the job goes on.`
  store.transaction(() => {
    sql.moveStretches.run({ byMs })
    moveWaiting(sql, byMs, world.clock.now())
  })
  for (const { id } of running()) say(id, 'info', text)
}

/** At the start of an engine: when the clock was set back while none ran, or too late for it to see, what was written down lies
 *  ahead, and so does every retry, by as much. */
export function putBackUnseen({ store, sql, world }: Pick<Engine, 'store' | 'sql' | 'world'>): void {
  const nowMs = world.clock.now()
  const byMs = nowMs - (sql.latest.get({})?.atMs ?? nowMs)
  if (byMs < -toleranceMs) store.transaction(() => void moveWaiting(sql, byMs, nowMs))
}

/** Waiting that lies ahead lies as far ahead of a clock that was set back; time that was slept through is over. */
function moveWaiting(sql: Engine['sql'], byMs: number, nowMs: number): void {
  if (byMs < 0) sql.moveDue.run({ byMs, nowMs })
  sql.clockIsRight.run({ nowMs })
}
