/** The computer that the code under test runs on. When its power goes nothing on it comes back: what it awaits never
 *  settles, so no line after an `await` of the world runs, as after a kill -9. */

export interface Machine {
  readonly on: boolean
  /** What was done on it since it was switched on. */
  readonly calls: number
  /** Does something on this machine; never settles when the power is gone before it is done. */
  does<T>(act: () => Promise<T>): Promise<T>
  /** The power goes at the `calls`-th call from now, before that call has any effect. */
  cutAfter(calls: number): void
  /** `act` is called just before the `calls`-th call from now. */
  beforeCall(calls: number, act: () => void): void
  cut(): void
}

export function machine(): Machine {
  let on = true
  let callsLeft = Infinity
  let calls = 0
  /** Number of a call → what happens just before it. */
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
