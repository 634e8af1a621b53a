/** Which next places a document goes to. Pure, except for the turns of a router by turns. */
import type { DeliveryRouter } from '../../contract/services/deliveryPlan.ts'
import { fieldOf, type Document } from '../model/document.ts'
import type { Place } from '../plan/places.ts'
import type { OpenStatuses } from '../status/statusWriter.ts'

/** Chooses among the places that lead to a destination that the document has not reached. None: the document goes nowhere. */
type Route = (document: Document, eligible: readonly Place[]) => readonly Place[]

/** Returns how a router chooses. A step without one has a single next place, to which every document goes. */
function routeOf(router: DeliveryRouter | undefined): Route {
  switch (router?.kind) {
    case 'stepName':
      return (document, eligible) => {
        const value = fieldOf(document, router.field)
        return named(value === undefined ? undefined : (own(router.values, value) ?? value), eligible)
      }
    case 'field':
      return (document, eligible) => {
        const value = fieldOf(document, router.field)
        return named((value === undefined ? undefined : own(router.values, value)) ?? router.otherwise, eligible)
      }
    case 'roundRobin':
      return byTurns()
    default:
      return (_, eligible) => eligible
  }
}

function own(values: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.hasOwn(values, value) ? values[value] : undefined
}

function named(name: string | undefined, eligible: readonly Place[]): readonly Place[] {
  return eligible.filter(({ step }) => step.name === name)
}

function byTurns(): Route {
  let turn = -1
  return (_, eligible) => {
    turn += 1
    return eligible.slice(turn % eligible.length, (turn % eligible.length) + 1)
  }
}

/** Where a document goes on from a place. */
interface Branches {
  /** Next places, each with the destinations that are reached through it. */
  branches: { next: Place; open: OpenStatuses }[]
  /** Destinations that the choice of a router has made unreachable. */
  left: number[]
}

/** Returns the function that decides where a document goes on. `destinations` has the id of each destination by its name. */
export function branching(
  destinations: ReadonlyMap<string, number>,
): (copy: { document: Document; open: OpenStatuses }, place: Place) => Branches {
  const routes = new Map<string, Route>()

  function routeFrom({ step, router }: Place): Route {
    const route = routes.get(step.name) ?? routeOf(router)
    routes.set(step.name, route)
    return route
  }

  function openIn(open: OpenStatuses, { reach }: Place): OpenStatuses {
    const ids = [...reach].map((name) => destinations.get(name))
    return new Map([...open].filter(([id]) => ids.includes(id)))
  }

  return ({ document, open }, place) => {
    const eligible = place.next.filter((next) => openIn(open, next).size > 0)
    if (eligible.length === 0) throw new Error(`no way leads on from ${place.step.name}`)
    const chosen = place.next.length === 1 ? eligible : routeFrom(place)(document, eligible)
    const branches = chosen.map((next) => ({ next, open: openIn(open, next) }))
    return { branches, left: [...open.keys()].filter((id) => !branches.some((each) => each.open.has(id))) }
  }
}
