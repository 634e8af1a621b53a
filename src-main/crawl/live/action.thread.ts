/** One change of a queue, over a connection of its own: a million documents must not hold up whoever answers people. It is one
 *  transaction, so a kill leaves all of it or nothing. */
import type { Budget, BudgetEffect, Effect, Lift } from '../../contract/services/live.ts'
import { openStore } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { openLiveActions, type LiveActions } from './actions.ts'

export type LiveAction = { job: number } & (
  | { kind: 'reject'; pattern: string; ids: number[] }
  | { kind: 'unreject'; rule: number }
  | { kind: 'drop'; ids: number[]; heldIds: number[]; words: string }
  | { kind: 'lift'; ids: number[]; words: string; to: Lift }
  | { kind: 'budgets'; budgets: readonly Budget[]; isTrial: boolean }
)
export type Done = number | Effect | BudgetEffect[]

export const task: Task<{ databasePath: string; action: LiveAction }, Done> = async (
  { world },
  { databasePath, action },
) => {
  const store = openStore(databasePath)
  try {
    return doDeed(openLiveActions(store, world), action)
  } finally {
    store.close()
  }
}

function doDeed(actions: LiveActions, action: LiveAction): Done {
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
