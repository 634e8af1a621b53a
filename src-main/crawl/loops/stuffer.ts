/** The stuffer: takes the best documents of all running jobs out of the queue, whenever the hands are low. */
import { drive } from './drive.ts'
import type { Engine, Loop } from './engine.ts'

export function stufferLoop(engine: Engine): Loop {
  const { turns } = engine
  return { name: 'stuffer', pass: () => drive(engine, turns.alarms.stuffer, () => turns.refill()) }
}
