/** The busiest stretch of time: of all windows of one length the one into which most fell. What lasted a while counts by the part
 *  of it that lies inside, evenly over its time: a large answer that took ten minutes fills ten windows of a minute, not one.
 *  As window functions of SQL the same took forty times as long as reading the rows: each is four moments to be sorted twice. */

export interface TimedActivity {
  startMs: number
  /** After the start: what took no time at all counts as one millisecond. */
  endMs: number
  amount: number
}

export interface Busiest {
  amount: number
  fromMs: number
  toMs: number
}

/** Between two moments at which something begins or ends the amount in a window grows or shrinks evenly. So it is greatest
 *  where a window begins with a beginning, or ends with an end: only these are looked at. */
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

/** Sums of the same numbers in another order differ by less: of equal windows the first is told. */
const rounding = 1e-9

/** Where windows may begin or end, ascending. */
function momentsOf(all: readonly TimedActivity[], windowMs: number): Float64Array {
  const moments = new Float64Array(all.length * 4)
  all.forEach(({ startMs, endMs }, index) => {
    moments.set([startMs, startMs + windowMs, endMs, endMs - windowMs], index * 4)
  })
  return moments.sort()
}

/** How much was done in all up to each moment. */
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
    // What rounding left of those that are over is not to go on for days.
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
