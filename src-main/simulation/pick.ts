/** Random choice, as every part of a scenario needs it. */
import type { SeededChance } from '../world/testing/seededChance.ts'

/** Returns one of the choices, each equally likely. */
export function pick<Each>(chance: SeededChance, choices: readonly Each[]): Each {
  const picked = choices[chance.below(choices.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
