/** Entry point of live control for the server. Operations that may take long (matching patterns against a queue of millions,
 *  changing it, listing all hosts) run in three threads, one operation at a time in each, so that changes are serialised. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { Fault, faultFromThread } from '../../contract/calls/faults.ts'
import {
  firstUrlsMax,
  type Budget,
  type BudgetEffect,
  type Effect,
  type Lift,
  type QueueWhole,
  type Selection,
} from '../../contract/services/live.ts'
import type { Store } from '../../storage/storage.ts'
import type { OwnThread, World } from '../../world/world.ts'
import type { ChoiceInput } from './choose.thread.ts'
import type { Chosen } from './choosing.ts'
import type { LiveAction, Done } from './action.thread.ts'
import { openLiveActions } from './actions.ts'
import { chooseHeapBytesMax, stopMsMax } from './limits.ts'
import type { QueueToRead } from './readQueue.thread.ts'

/** Live control of queues. With `isTrial`, a change only computes its effect. Methods reject with `Fault`. */
export interface LiveControl {
  show(given: { job: number; host?: string | undefined }): Promise<QueueWhole>
  reject(given: { job: number; pattern: string; isTrial: boolean }): Promise<Effect>
  unreject(given: { job: number; rule: number }): Promise<Effect>
  drop(given: { job: number; of: Selection; isTrial: boolean }): Promise<Effect>
  lift(given: { job: number; of: Selection; to: Lift; isTrial: boolean }): Promise<Effect>
  priority(given: { job: number; priority: number }): void
  budgets(given: { job: number; budgets: readonly Budget[]; isTrial: boolean }): Promise<BudgetEffect[]>
  close(): void
}

/** Opens live control; its threads are started when they are first needed. */
export function openLiveControl(world: World, store: Store, databasePath: string): LiveControl {
  const actions = openLiveActions(store, world)
  const choosing = threadOf(world, new URL('./choose.thread.ts', import.meta.url))
  const doing = threadOf(world, new URL('./action.thread.ts', import.meta.url))
  const looking = threadOf(world, new URL('./readQueue.thread.ts', import.meta.url))

  const choose = (job: number, of: Selection) => choosing.run<ChoiceInput, Chosen>({ databasePath, job, of })
  const act = (action: LiveAction) =>
    doing.run<{ databasePath: string; action: LiveAction }, Done>({ databasePath, action })

  return {
    show: async ({ job, host }) => {
      actions.known(job)
      return looking.run<QueueToRead, QueueWhole>({ databasePath, job, host: host ?? null })
    },
    async reject({ job, pattern, isTrial }) {
      actions.jobInControl(job)
      const chosen = await choose(job, { pattern })
      const { ids } = chosen
      return leavingOut(chosen, isTrial ? ids.length : Number(await act({ kind: 'reject', job, pattern, ids })))
    },
    unreject: async ({ job, rule }) => (await act({ kind: 'unreject', job, rule })) as Effect,
    async drop({ job, of, isTrial }) {
      actions.jobInControl(job)
      const chosen = await choose(job, of)
      const { ids, heldIds } = chosen
      const action = { kind: 'drop', job, ids, heldIds, words: wordsOf(of) } as const
      return leavingOut(chosen, isTrial ? ids.length : Number(await act(action)))
    },
    async lift({ job, of, to, isTrial }) {
      actions.jobInControl(job)
      const { ids, heldIds, first } = await choose(job, of)
      const action = { kind: 'lift', job, ids, to, words: wordsOf(of) } as const
      return { first, inProgress: heldIds.length, documents: isTrial ? ids.length : Number(await act(action)) }
    },
    priority: (given) => actions.priority(given),
    budgets: async ({ job, budgets, isTrial }) =>
      (await act({ kind: 'budgets', job, budgets, isTrial })) as BudgetEffect[],
    close() {
      for (const thread of [choosing, doing, looking]) thread.close()
    },
  }
}

/** The effect of excluding the chosen documents, which includes those in progress. */
function leavingOut({ first, heldFirst, heldIds }: Chosen, documents: number): Effect {
  return { documents, inProgress: heldIds.length, first: [...first, ...heldFirst].slice(0, firstUrlsMax) }
}

function wordsOf({ pattern = '', host }: Selection): Message {
  if (host === undefined) return message('queue.matching', { pattern })
  return pattern === '' ? message('queue.ofHost', { host }) : message('queue.matchingOfHost', { pattern, host })
}

/** Runs tasks one after the other in a thread; if the thread has ended, a new one is started. */
function threadOf(world: World, module: URL) {
  let thread: OwnThread | undefined
  const inTurn = oneAtATime()
  let isClosed = false

  async function runNow<Input, Output>(input: Input): Promise<Output> {
    if (isClosed) throw new Fault('stopped', message('engine.shutDown'))
    if (!thread || thread.ended) thread = world.threads.own({ heapBytesMax: chooseHeapBytesMax, stopMsMax })
    try {
      return await thread.run<Input, Output>(module, input)
    } catch (error) {
      throw faultFromThread(error)
    }
  }

  return {
    run: <Input, Output>(input: Input) => inTurn(() => runNow<Input, Output>(input)),
    close() {
      isClosed = true
      thread?.close()
    },
  }
}
