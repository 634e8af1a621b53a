/** Draws a uniform random sample of a list, in the order of the list. */
import type { Chance } from '../../world/world.ts'

/** Returns `count` elements of `all`, or all of them when there are fewer. Every subset of that size is equally likely. */
export function sampleOf<T>(chance: Chance, all: readonly T[], count: number): T[] {
  // Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S) needs one pass and keeps the order.
  let wanted = Math.min(count, all.length)
  return all.filter((_, index) => {
    const isChosen = chance.below(all.length - index) < wanted
    if (isChosen) wanted -= 1
    return isChosen
  })
}
