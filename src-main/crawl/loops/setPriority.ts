/** The priority setter: gives documents positions in the queue when they become due, return, block others, or when a stop has
 *  left gaps. It also removes the documents of stopped jobs from the queue, whether or not any job is being worked on. */
import { drive } from './drive.ts'
import type { Engine, Loop } from './engine.ts'

export function setPriorityLoop(engine: Engine): Loop {
  const { turns, world, signal } = engine
  return {
    name: 'setPriority',
    async pass() {
      while (turns.isIdle && turns.place().afterMs === 0 && !signal.aborted) await world.clock.sleep(0)
      await drive(engine, turns.alarms.setPriority, () => turns.place())
    },
  }
}
