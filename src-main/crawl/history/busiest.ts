/** The busiest window: of all windows of a given length, the one with the largest amount. An activity counts in proportion to the
 *  part of its duration inside the window, so a large answer that took ten minutes is spread over ten windows of a minute.
 *  Computed here because SQL window functions took forty times as long as reading the rows. */

/** An activity with the amount that is summed: a count or bytes. */
export interface TimedActivity {
  startMs: number
  /** Later than the start: an activity without duration counts as one millisecond. */
  endMs: number
  amount: number
}

/** A window and the amount in it. */
export interface Busiest {
  amount: number
  fromMs: number
  toMs: number
}

/** Finds the busiest window; undefined if there are no activities. As a window moves, the amount in it changes linearly between
 *  the times at which an activity begins or ends. It is therefore greatest where the window begins with the beginning of an
 *  activity or ends with its end, and only these windows are examined. */
export function busiestWindow(all: readonly TimedActivity[], windowMs: number): Busiest | undefined {
  if (all.length === 0) return undefined
  const moments = momentsOf(all, windowMs)
  const done = doneAt(moments, all)
  let best: Busiest | undefined
  let first = 0
  for (let last = 0; last < moments.length; last += 1) {
    const toMs = at(moments, last)
    while (at(moments, first) < toMs - windowMs) first += 1
    if (at(moments, first) !== toMs - windowMs) continue
    const amount = at(done, last) - at(done, first)
    if (best === undefined || amount > best.amount + rounding * amount) best = { amount, fromMs: toMs - windowMs, toMs }
  }
  return best
}

/** Relative tolerance, larger than the difference between sums of the same numbers in another order, so that of equal windows the
 *  first is returned. */
const rounding = 1e-9

/** Times at which windows may begin or end, ascending. */
function momentsOf(all: readonly TimedActivity[], windowMs: number): Float64Array {
  const moments = new Float64Array(all.length * 4)
  all.forEach(({ startMs, endMs }, index) => {
    moments.set([startMs, startMs + windowMs, endMs, endMs - windowMs], index * 4)
  })
  return moments.sort()
}

/** Total amount up to each of the times. */
function doneAt(moments: Float64Array, all: readonly TimedActivity[]): Float64Array {
  const byStart = all.toSorted((one, other) => one.startMs - other.startMs)
  const byEnd = all.toSorted((one, other) => one.endMs - other.endMs)
  const done = new Float64Array(moments.length)
  let total = 0
  let perMs = 0
  let started = 0
  let ended = 0
  for (let index = 0; index < moments.length; index += 1) {
    const nowMs = at(moments, index)
    if (index > 0) total += perMs * (nowMs - at(moments, index - 1))
    done[index] = total
    for (; byStart[started] && at1(byStart, started).startMs <= nowMs; started += 1)
      perMs += rateOf(at1(byStart, started))
    for (; byEnd[ended] && at1(byEnd, ended).endMs <= nowMs; ended += 1) perMs -= rateOf(at1(byEnd, ended))
    // Resets the rounding error of activities that are over, which would otherwise accumulate.
    if (started === ended) perMs = 0
  }
  return done
}

function rateOf({ startMs, endMs, amount }: TimedActivity): number {
  return amount / (endMs - startMs)
}

function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? NaN
}

function at1(all: readonly TimedActivity[], index: number): TimedActivity {
  const found = all[index]
  if (!found) throw new Error('beyond the end')
  return found
}
