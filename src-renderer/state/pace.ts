/** Speed and remaining time of long work, from recent observations: the time before a pause, or before this page was opened, does not
 *  count. */

export interface ProgressSample {
  /** From `performance.now()`, because changes of the system clock must not affect the rate. */
  atMs: number
  done: number
}

/** Files have very different sizes: with a shorter window the rate jumps, with a longer one it lags. */
const windowMs = 20_000

export function seen(samples: readonly ProgressSample[], next: ProgressSample): ProgressSample[] {
  const last = samples.at(-1)
  // Less done than before means that the work was restarted.
  if (last && next.done < last.done) return [next]
  return [...samples.filter(({ atMs }) => atMs >= next.atMs - windowMs), next]
}

/** Units per second; undefined until two observations are far enough apart. */
export function rateOf(samples: readonly ProgressSample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < 500) return undefined
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs)
}

export function secondsLeft(samples: readonly ProgressSample[], total: number): number | undefined {
  const rate = rateOf(samples)
  const last = samples.at(-1)
  if (!rate || !last) return undefined
  return Math.max(0, total - last.done) / rate
}
