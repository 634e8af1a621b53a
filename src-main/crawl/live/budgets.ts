/** What a budget of a domain comes to: pure. A budget counts what the run has fetched of the domain, robots.txt too, as the
 *  limits of the harvest do. */
import type { Reason } from '../../contract/states/outcomes.ts'
import type { BudgetRow, UseRow } from './live.sql.ts'

type Limits = Pick<BudgetRow, 'objectsMax' | 'bytesMax'>

/** Which of its bounds is reached; undefined when more may be fetched. */
export function spentBy({ objectsMax, bytesMax }: Limits, { objects, bytes }: UseRow): Reason | undefined {
  if (objectsMax !== null && objects >= objectsMax) return 'domainObjects'
  if (bytesMax !== null && bytes >= bytesMax) return 'domainBytes'
  return undefined
}

/** Whether one more may begin while others of the domain are on their way: never more objects than the budget. */
export function hasRoom({ objectsMax }: Limits, { objects }: UseRow, inFlight: number): boolean {
  return objectsMax === null || objects + inFlight < objectsMax
}

/** Of what waits, what there is no room for at the most; null where objects are not bounded. */
export function overBudget({ objectsMax }: Limits, { objects }: UseRow, waiting: number): number | null {
  return objectsMax === null ? null : Math.max(0, waiting - Math.max(0, objectsMax - objects))
}
