/** Evaluates the budget of a domain. Pure. A budget counts all documents that the run has fetched from the domain, including
 *  robots.txt, as the limits of the harvest do. */
import type { Reason } from '../../contract/states/outcomes.ts'
import type { BudgetRow, UseRow } from './live.sql.ts'

type Limits = Pick<BudgetRow, 'objectsMax' | 'bytesMax'>

/** The limit that is reached; undefined if more may be fetched. */
export function spentBy({ objectsMax, bytesMax }: Limits, { objects, bytes }: UseRow): Reason | undefined {
  if (objectsMax !== null && objects >= objectsMax) return 'domainObjects'
  if (bytesMax !== null && bytes >= bytesMax) return 'domainBytes'
  return undefined
}

/** Whether another fetch may begin while `inFlight` of the domain are in progress, so that the budget of objects is not exceeded. */
export function hasRoom({ objectsMax }: Limits, { objects }: UseRow, inFlight: number): boolean {
  return objectsMax === null || objects + inFlight < objectsMax
}

/** Maximum number of waiting documents that exceed the budget; null if objects are not limited. */
export function overBudget({ objectsMax }: Limits, { objects }: UseRow, waiting: number): number | null {
  return objectsMax === null ? null : Math.max(0, waiting - Math.max(0, objectsMax - objects))
}
