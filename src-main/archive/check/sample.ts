/** So many of a list by chance, each as likely as any other, in the list's order. */
import type { Chance } from '../../world/world.ts'

export function sampleOf<T>(chance: Chance, all: readonly T[], count: number): T[] {
  // Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S): one pass, no shuffle to undo.
  let wanted = Math.min(count, all.length)
  return all.filter((_, index) => {
    const isChosen = chance.below(all.length - index) < wanted
    if (isChosen) wanted -= 1
    return isChosen
  })
}
