/** The feeder: gives what is in the hands to the workers of its job, as soon as the politeness towards its host allows. */
import { drive } from './drive.ts'
import type { Engine, Loop } from './engine.ts'

export function feederLoop(engine: Engine): Loop {
  const { turns } = engine
  return { name: 'feeder', pass: () => drive(engine, turns.alarms.feeder, () => turns.feed()) }
}
