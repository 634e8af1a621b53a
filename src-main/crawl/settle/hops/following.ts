/** Updates documents whose distances have changed, in the transaction of the change, so that no reader sees one without the
 *  other. Longer updates continue in transactions of their own, since a vanished link of a front page may move a whole site. */
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import type { Store } from '../../../storage/storage.ts'
import { openFrontier, type Frontier } from '../../frontier/frontier.ts'
import type { Changed } from '../../frontier/counts.ts'
import { frontierStatements } from '../../frontier/frontier.sql.ts'
import { openRange, type Range } from './range.ts'

/** Result of one step. */
export interface Step {
  changes: Changed[]
  isDone: boolean
}

/** Performs one step inside the caller's transaction. */
export function followStep(range: Range, frontier: Pick<Frontier, 'reach'>, nowMs: number): Step {
  const { counts, reached, isDone } = range.follow()
  return { changes: [{ counts, hasNews: false }, frontier.reach(reached, nowMs)], isDone }
}

/** The job whose documents are updated. */
export interface FollowingSetting {
  store: Store
  job: number
  definition: HarvestDefinition
}

/** Most steps in one transaction: enough for the removal of a few documents, after which everything they linked to is
 *  re-evaluated. */
const stepsAtOnceMax = 3

/** Updates documents after a change of the list outside a run's commit. Called inside a transaction; returns true when
 *  nothing is left to update. */
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

/** Performs the remaining steps, each in its own transaction. */
export function followAll(setting: FollowingSetting, nowMs: number): void {
  while (!setting.store.transaction(() => followSome(setting, nowMs)));
}
