/** The places of a plan: its steps as a document of one scanner reaches them. Where a router copies documents and two of its branches lead
 *  to the same step, that step has a place, and a destination has a name, for each branch. Pure. */
import type { DeliveryRouter, DeliveryStep } from '../../contract/services/deliveryPlan.ts'
import type { StepKind } from '../model/steps.ts'

/** A step as it is reached over certain branches. */
export interface Place {
  step: DeliveryStep
  kind: StepKind
  router: DeliveryRouter | undefined
  next: readonly Place[]
  /** Name of the destination that this place is; undefined for a scanner or a processor. */
  destination: string | undefined
  /** Names of the destinations from here on, with its own. */
  reach: ReadonlySet<string>
}

/** Places of one scanner: more are refused. */
export const placesMax = 1_000

/** Stands between the name of a destination and a branch over which it is reached, as JesterJ has it. */
const viaSign = '<-via->'

/** Returns the name of the step of a destination. Names of steps do not contain the sign. */
export function stepOfDestination(destination: string): string {
  return destination.split(viaSign)[0] ?? destination
}

interface Steps {
  steps: readonly DeliveryStep[]
  kindOf: (step: DeliveryStep) => StepKind | undefined
}

/** A place before the names of destinations are known. */
interface Draft {
  step: DeliveryStep
  kind: StepKind
  branches: readonly string[]
  next: Draft[]
}

/** Returns the place of a scanner, from which all others are reached; undefined where there are more than `placesMax`. The plan has no
 *  cycle and no unknown kind. */
export function placesOf(scanner: string, { steps, kindOf }: Steps): Place | undefined {
  const drafts = new Map<string, Draft>()
  const start = draft(scanner, [])
  return drafts.size > placesMax || !start ? undefined : finished(start, namesOf([...drafts.values()]))

  function draft(name: string, branches: readonly string[]): Draft | undefined {
    const key = JSON.stringify([name, branches])
    const known = drafts.get(key)
    if (known || drafts.size > placesMax) return known
    const step = steps.find((each) => each.name === name)
    const kind = step && kindOf(step)
    if (!step || !kind) throw new Error(`the plan has no step ${name}`)
    const made: Draft = { step, kind, branches, next: [] }
    drafts.set(key, made)
    const next = steps.filter(({ after }) => after.includes(name))
    const copies = step.router?.kind === 'all' && next.length > 1
    for (const each of next) {
      const after = draft(each.name, copies ? [...branches, each.name] : branches)
      if (after) made.next.push(after)
    }
    return made
  }
}

function namesOf(drafts: readonly Draft[]): ReadonlyMap<Draft, string> {
  const tracked = drafts.filter(({ kind }) => kind.role === 'destination')
  return new Map(
    tracked.map((each) => {
      const { step, branches } = each
      const hasTwins = tracked.some((other) => other !== each && other.step === step)
      return [each, [step.name, ...(hasTwins ? branches : [])].join(viaSign)]
    }),
  )
}

function finished(start: Draft, names: ReadonlyMap<Draft, string>): Place {
  const made = new Map<Draft, Place>()
  return place(start)

  function place(from: Draft): Place {
    const known = made.get(from)
    if (known) return known
    const next = from.next.map(place)
    const destination = names.get(from)
    const reach = new Set([
      ...(destination === undefined ? [] : [destination]),
      ...next.flatMap((each) => [...each.reach]),
    ])
    const { step, kind } = from
    const finishedPlace = { step, kind, router: next.length > 1 ? step.router : undefined, next, destination, reach }
    made.set(from, finishedPlace)
    return finishedPlace
  }
}
