/** The feeder: gives ready documents to the workers of their job as soon as politeness towards their host allows. */
import { drive } from './drive.ts'
import type { Engine, Loop } from './engine.ts'

export function feederLoop(engine: Engine): Loop {
  const { turns } = engine
  return { name: 'feeder', pass: () => drive(engine, turns.alarms.feeder, () => turns.feed()) }
}
