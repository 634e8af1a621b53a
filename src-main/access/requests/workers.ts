/** A fixed number of workers that take questions from a queue in memory, in the order in which they came. A connection is never asked more
 *  often at once than it may be, and it never has more than half of the workers: the rest stays free for other connections, so that a slow
 *  one delays no request that does not need it. */
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'

/** Questions in the queue. More than this is a program that asks faster than the authorities answer. */
const queuedMax = 10_000

/** The connection that a question is for. */
export interface Asked {
  name: string
  /** Questions to it at once. */
  connectionsMax: number
}

/** Workers over a queue. */
export interface Workers {
  /** Queues a question and resolves or rejects as `act` does. Rejects with `Fault` unreachable when the queue is full. */
  run<T>(asked: Asked, act: () => Promise<T>): Promise<T>
}

interface Question extends Asked {
  begin(): void
}

/** Makes workers. `count`: how many there are now, at least 2. */
export function workersOf(count: () => number): Workers {
  const queue = new Set<Question>()
  /** Questions that are being asked, by the name of their connection. */
  const running = new Map<string, number>()
  let busy = 0

  function mayBegin({ name, connectionsMax }: Asked, workers: number): boolean {
    return (running.get(name) ?? 0) < Math.min(connectionsMax, Math.floor(workers / 2))
  }

  function change(name: string, by: 1 | -1): void {
    busy += by
    const now = (running.get(name) ?? 0) + by
    if (now === 0) running.delete(name)
    else running.set(name, now)
  }

  function next(): void {
    const workers = count()
    for (const question of queue) {
      if (busy >= workers) return
      if (!mayBegin(question, workers)) continue
      queue.delete(question)
      change(question.name, 1)
      question.begin()
    }
  }

  return {
    async run(asked, act) {
      if (queue.size >= queuedMax) throw new Fault('unreachable', message('authority.busy', { count: queuedMax }))
      const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
      queue.add({ ...asked, begin })
      next()
      await turn
      try {
        return await act()
      } finally {
        change(asked.name, -1)
        next()
      }
    },
  }
}
