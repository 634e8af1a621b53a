/** The priority setter: gives documents their places in the queue when they are due, come back, stand in the way of others, or
 *  when a stop has left gaps. */
import { drive } from './drive.ts'
import type { Engine, Loop } from './engine.ts'

export function setPriorityLoop(engine: Engine): Loop {
  const { turns } = engine
  return { name: 'setPriority', pass: () => drive(engine, turns.alarms.setPriority, () => turns.place()) }
}
