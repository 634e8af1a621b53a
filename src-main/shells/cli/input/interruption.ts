/**
 * Handling of Ctrl-C and of equivalent signals: the first asks the verb to stop cleanly, a second ends the process at once. Correctness
 * needs no clean-up, since every verb survives a kill.
 */

/**
 * Time within which signals count as one press of Ctrl-C. One press may arrive more than once: the terminal signals every process in the
 * foreground, and npm, through which `npm run loupe` starts this process, forwards the signal. Two deliberate presses are never this close.
 */
const samePressMs = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface Listening {
  process: { on(signal: (typeof signals)[number], listener: () => void): unknown }
  nowMs: () => number
  onFirst: () => void
  onSecond: () => void
}

/** Returns a signal that the first press aborts. */
export function interruption({ process, nowMs, onFirst, onSecond }: Listening): AbortSignal {
  const stop = new AbortController()
  let firstMs = 0
  const press = () => {
    if (stop.signal.aborted) {
      if (nowMs() - firstMs >= samePressMs) onSecond()
      return
    }
    firstMs = nowMs()
    stop.abort()
    onFirst()
  }
  for (const signal of signals) process.on(signal, press)
  return stop.signal
}
