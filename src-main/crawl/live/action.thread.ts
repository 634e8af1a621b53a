/** One change of a queue, over a connection of its own: a million documents must not hold up whoever answers people. It is one
 *  transaction, so a kill leaves all of it or nothing. */
import type { Budget, BudgetEffect, Effect, Lift } from '../../contract/live.ts'
import { openStore } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { openDeeds, type Deeds } from './actions.ts'

export type Deed = { job: number } & (
  | { kind: 'reject'; pattern: string; ids: number[] }
  | { kind: 'unreject'; rule: number }
  | { kind: 'drop'; ids: number[]; heldIds: number[]; words: string }
  | { kind: 'lift'; ids: number[]; words: string; to: Lift }
  | { kind: 'budgets'; budgets: readonly Budget[]; isTrial: boolean }
)
export type Done = number | Effect | BudgetEffect[]

export const task: Task<{ databasePath: string; deed: Deed }, Done> = async ({ world }, { databasePath, deed }) => {
  const store = openStore(databasePath)
  try {
    return doDeed(openDeeds(store, world), deed)
  } finally {
    store.close()
  }
}

function doDeed(deeds: Deeds, deed: Deed): Done {
  switch (deed.kind) {
    case 'reject':
      return deeds.reject(deed)
    case 'unreject':
      return deeds.unreject(deed)
    case 'drop':
      return deeds.drop(deed)
    case 'lift':
      return deeds.lift(deed)
    case 'budgets':
      return deeds.budgets(deed)
  }
}
