/** Drawing one of several: what every part of a story does. */
import type { SeededChance } from '../world/testing/seededChance.ts'

/** One of them, each as likely. */
export function pick<Each>(chance: SeededChance, choices: readonly Each[]): Each {
  const picked = choices[chance.below(choices.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
