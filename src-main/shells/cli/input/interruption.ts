/** Ctrl-C, and its likes from elsewhere: the first one asks the verb to stop cleanly, a second one ends the process at once
 *  (nothing needs to be put away for correctness: every end is a kill). */

/** One press of Ctrl-C may arrive more than once: the terminal tells every process in front, and npm, through which
 *  `npm run loupe` starts us, tells us again. Two presses on purpose are never as fast as this. */
const samePressMs = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface Listening {
  process: { on(signal: (typeof signals)[number], listener: () => void): unknown }
  nowMs: () => number
  onFirst: () => void
  onSecond: () => void
}

/** Aborted by the first press. */
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
