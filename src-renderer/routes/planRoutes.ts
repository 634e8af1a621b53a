/** Places of delivery plans: the list, a plan with what is shown of it, and the editor. */
import { deliveryStates, type DeliveryState } from '../../src-main/contract/states/deliveryStates.ts'

export type PlanRoute =
  | { place: 'plans' }
  /** The documents of a destination in a status, and the history of one document. */
  | { place: 'plan'; plan: string; scanner?: string; destination?: string; state?: DeliveryState; document?: string }
  | { place: 'planEditor'; plan: string }
  | { place: 'newPlan' }

/** Returns the place below `#/plans`. A name that cannot be decoded is used as it is; the page says that there is no such plan. */
export function planRouteOf(name: string, part: string | undefined, query: string): PlanRoute {
  if (name === '') return { place: 'plans' }
  if (part === 'edit') return { place: 'planEditor', plan: name }
  const asked = new URLSearchParams(query)
  const text = (key: 'scanner' | 'destination' | 'document') => {
    const value = asked.get(key)
    return value === null || value === '' ? {} : { [key]: value }
  }
  const state = deliveryStates.states.find((known) => known === asked.get('state'))
  return {
    ...{ place: 'plan', plan: name, ...text('scanner'), ...text('destination') },
    ...(state !== undefined && { state }),
    ...text('document'),
  }
}

/** Returns the address of a place that has a plan. */
export function planHref(route: Extract<PlanRoute, { plan: string }>): string {
  if (route.place === 'planEditor') return `#/plans/${encodeURIComponent(route.plan)}/edit`
  const { plan, scanner, destination, state, document } = route
  const query = Object.entries({ scanner, destination, state, document })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]))
    .join('&')
  return `#/plans/${encodeURIComponent(plan)}${query === '' ? '' : `?${query}`}`
}
