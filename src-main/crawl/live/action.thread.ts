/** Worker thread that makes one change to a queue, with its own database connection, so that a change to a million documents does
 *  not block the server. Each change is one transaction, so a kill leaves all of it or nothing. */
import type { Message } from '../../contract/words/message.ts'
import type { Budget, BudgetEffect, Effect, Lift } from '../../contract/services/live.ts'
import { openStore } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { openLiveActions, type LiveActions } from './actions.ts'

/** A change to the queue of a job. */
export type LiveAction = { job: number } & (
  | { kind: 'reject'; pattern: string; ids: number[] }
  | { kind: 'unreject'; rule: number }
  | { kind: 'drop'; ids: number[]; heldIds: number[]; words: Message }
  | { kind: 'lift'; ids: number[]; words: Message; to: Lift }
  | { kind: 'budgets'; budgets: readonly Budget[]; isTrial: boolean }
)
/** Result of a change, by its kind. */
export type Done = number | Effect | BudgetEffect[]

/** Makes the change. */
export const task: Task<{ databasePath: string; action: LiveAction }, Done> = async (
  { world },
  { databasePath, action },
) => {
  const store = openStore(databasePath)
  try {
    return makeChange(openLiveActions(store, world), action)
  } finally {
    store.close()
  }
}

function makeChange(actions: LiveActions, action: LiveAction): Done {
  switch (action.kind) {
    case 'reject':
      return actions.reject(action)
    case 'unreject':
      return actions.unreject(action)
    case 'drop':
      return actions.drop(action)
    case 'lift':
      return actions.lift(action)
    case 'budgets':
      return actions.budgets(action)
  }
}
