/** The stuffer: refills the ready buffer with the best documents of all running jobs whenever it is low. */
import { drive } from './drive.ts'
import type { Engine, Loop } from './engine.ts'

export function stufferLoop(engine: Engine): Loop {
  const { turns } = engine
  return { name: 'stuffer', pass: () => drive(engine, turns.alarms.stuffer, () => turns.refill()) }
}
