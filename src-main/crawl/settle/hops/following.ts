/** Documents follow their distances when these have changed: in the transaction of what changed them, so that no reader sees
 *  one without the other. What takes longer goes on in transactions of its own, since a vanished link of a front page may move a
 *  whole site. */
import type { HarvestDefinition } from '../../../contract/contract.ts'
import type { Store } from '../../../storage/storage.ts'
import { openFrontier, type Changed, type Frontier } from '../../frontier/frontier.ts'
import { frontierStatements } from '../../frontier/frontier.sql.ts'
import { openRange, type Range } from './range.ts'

export interface Step {
  changes: Changed[]
  isDone: boolean
}

/** Inside a transaction. */
export function followStep(range: Range, frontier: Pick<Frontier, 'reach'>, nowMs: number): Step {
  const { counts, reached, isDone } = range.follow()
  return { changes: [{ counts, hasNews: false }, frontier.reach(reached, nowMs)], isDone }
}

export interface FollowingSetting {
  store: Store
  job: number
  definition: HarvestDefinition
}

/** Steps in one transaction: enough for what a few documents move, since everything that they led to is re-evaluated. */
const stepsAtOnceMax = 3

/** Where no run commits: the list has become another. Inside a transaction; true when nothing is left to be followed. */
export function followSome({ store, job, definition }: FollowingSetting, nowMs: number): boolean {
  const range = openRange(store, job, definition)
  if (!range) return true
  const frontier = openFrontier(store, job, definition.robots)
  const { count } = frontierStatements(store)
  for (let steps = 0; steps < stepsAtOnceMax; steps += 1) {
    const { changes, isDone } = followStep(range, frontier, nowMs)
    for (const { counts } of changes) count.run({ job, ...counts })
    if (isDone) return true
  }
  return false
}

/** The rest of it. */
export function followAll(setting: FollowingSetting, nowMs: number): void {
  while (!setting.store.transaction(() => followSome(setting, nowMs)));
}
