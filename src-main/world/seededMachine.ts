/** The computer that the code under test runs on. When its power goes nothing on it comes back: what it awaits never
 *  settles, so no line after an `await` of the world runs, as after a kill -9. */

export interface Machine {
  readonly on: boolean
  /** Does something on this machine; never settles when the power is gone before it is done. */
  does<T>(act: () => Promise<T>): Promise<T>
  /** The power goes at the `calls`-th call from now, before that call has any effect. */
  cutAfter(calls: number): void
  cut(): void
}

export function machine(): Machine {
  let on = true
  let callsLeft = Infinity
  return {
    get on() {
      return on
    },
    does(act) {
      return new Promise((resolve, reject) => {
        callsLeft -= 1
        if (callsLeft <= 0) on = false
        if (!on) return
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
    cut() {
      on = false
    },
  }
}
