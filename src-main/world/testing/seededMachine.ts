/** The computer on which the code under test runs. When its power is cut, promises of calls on it never settle, so no line
 *  after an `await` of the world runs, as after a kill -9. */

/** A computer that can lose power. */
export interface Machine {
  readonly on: boolean
  /** Number of calls since it was switched on. */
  readonly calls: number
  /** Performs a call on this machine; never settles if the power is cut before it is done. */
  does<T>(act: () => Promise<T>): Promise<T>
  /** Cuts the power at the `calls`-th call from now, before that call has any effect. */
  cutAfter(calls: number): void
  /** Calls `act` just before the `calls`-th call from now. */
  beforeCall(calls: number, act: () => void): void
  cut(): void
}

/** Returns a machine that is switched on. */
export function machine(): Machine {
  let on = true
  let callsLeft = Infinity
  let calls = 0
  /** Maps the number of a call to the functions called just before it. */
  const happenings = new Map<number, (() => void)[]>()
  return {
    get on() {
      return on
    },
    get calls() {
      return calls
    },
    does(act) {
      return new Promise((resolve, reject) => {
        calls += 1
        callsLeft -= 1
        if (callsLeft <= 0) on = false
        if (!on) return
        for (const happen of happenings.get(calls) ?? []) happen()
        happenings.delete(calls)
        act().then(
          (value) => {
            if (on) resolve(value)
          },
          (error: unknown) => {
            if (on) reject(error)
          },
        )
      })
    },
    cutAfter(calls) {
      callsLeft = calls
    },
    beforeCall(callsFromNow, act) {
      const call = calls + callsFromNow
      happenings.set(call, [...(happenings.get(call) ?? []), act])
    },
    cut() {
      on = false
    },
  }
}
