/** Speed and remaining time of long work, from recent observations: the time before a pause, or before this page was opened, does not
 *  count. */

export interface Sighting {
  /** From `performance.now()`, because changes of the system clock must not affect the rate. */
  atMs: number
  done: number
}

/** Files have very different sizes: with a shorter window the rate jumps, with a longer one it lags. */
const windowMs = 20_000

export function seen(sightings: readonly Sighting[], next: Sighting): Sighting[] {
  const last = sightings.at(-1)
  // Less done than before means that the work was restarted.
  if (last && next.done < last.done) return [next]
  return [...sightings.filter(({ atMs }) => atMs >= next.atMs - windowMs), next]
}

/** Units per second; undefined until two observations are far enough apart. */
export function rateOf(sightings: readonly Sighting[]): number | undefined {
  const first = sightings[0]
  const last = sightings.at(-1)
  if (!first || !last || last.atMs - first.atMs < 500) return undefined
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs)
}

export function secondsLeft(sightings: readonly Sighting[], total: number): number | undefined {
  const rate = rateOf(sightings)
  const last = sightings.at(-1)
  if (!rate || !last) return undefined
  return Math.max(0, total - last.done) / rate
}
