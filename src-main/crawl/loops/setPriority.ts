/** The priority setter: gives documents their places in the queue when they are due, come back, stand in the way of others, or
 *  when a stop has left gaps. Whether or not anything is worked on, it takes their places from the documents of stopped jobs. */
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
