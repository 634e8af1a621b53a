/** Checks of the graph of a plan: names, edges, routers, and effects where a repetition could do harm. Pure. */
import type { DeliveryStep } from '../../contract/services/deliveryPlan.ts'
import { message } from '../../contract/words/message.ts'
import type { StepKind, StepKinds } from '../model/steps.ts'
import type { PlanFault } from './planFault.ts'
import { placesOf, placesMax } from './places.ts'

/** Names of steps are parts of the names of destinations. */
const namePattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/

interface Graph {
  steps: readonly DeliveryStep[]
  kindOf: (step: DeliveryStep) => StepKind | undefined
  /** Next steps of a step, by its name. */
  next: (name: string) => DeliveryStep[]
}

/** Returns all faults of the graph. `isWhole`: every step could be read, so that a name that is absent is unknown. */
export function graphFaults(
  steps: readonly DeliveryStep[],
  kinds: StepKinds,
  { isWhole }: { isWhole: boolean },
): PlanFault[] {
  const graph: Graph = {
    steps,
    kindOf: ({ kind }) => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined),
    next: (name) => steps.filter(({ after }) => after.includes(name)),
  }
  const inCycles = cycleFaults(graph)
  const faults = [
    ...nameFaults(graph),
    ...(isWhole ? predecessorFaults(graph) : []),
    ...inCycles,
    ...steps.flatMap((step) => [...effectFaults(step, graph), ...routerFaults(step, graph)]),
    ...(isWhole ? unreachedFaults(graph) : []),
  ]
  const isCountable = faults.length === 0 && isWhole && steps.every((step) => graph.kindOf(step))
  return isCountable ? sizeFaults(graph) : faults
}

/** Returns the warnings about a plan without faults. */
export function graphWarnings(steps: readonly DeliveryStep[]): PlanFault[] {
  const before = new Map(steps.map(({ name, after }) => [name, after]))
  const isBehindChance = (step: DeliveryStep) =>
    [...reached(step.name, (name) => before.get(name) ?? [])].some(
      (name) => name !== step.name && steps.some((other) => other.name === name && other.router?.kind === 'roundRobin'),
    )
  return steps
    .filter((step) => step.router?.kind === 'all' && isBehindChance(step))
    .map(({ name }) => ({ step: name, message: message('delivery.plan.copiesByChance', { step: name }) }))
}

function nameFaults({ steps }: Graph): PlanFault[] {
  const names = steps.map(({ name }) => name)
  const invalid = [...new Set(names)].filter((name) => !namePattern.test(name) || name.toLowerCase() === 'null')
  const duplicate = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
  return [
    ...invalid.map((step) => ({ step, message: message('delivery.plan.name', { step }) })),
    ...duplicate.map((step) => ({ step, message: message('delivery.plan.duplicate', { step }) })),
  ]
}

function predecessorFaults({ steps }: Graph): PlanFault[] {
  const names = new Set(steps.map(({ name }) => name))
  return steps.flatMap(({ name, after }) =>
    after
      .filter((before) => !names.has(before))
      .map((before) => ({ step: name, message: message('delivery.plan.predecessor', { step: name, before }) })),
  )
}

/** Each cycle is reported once, at the first of its steps. */
function cycleFaults({ steps, next }: Graph): PlanFault[] {
  const reported = new Set<string>()
  return steps.flatMap(({ name }) => {
    const circle = reported.has(name) ? undefined : circleFrom(name, next)
    for (const each of circle ?? []) reported.add(each)
    if (!circle) return []
    return [{ step: name, message: message('delivery.plan.cycle', { steps: [...circle, name].join(' → ') }) }]
  })
}

/** Returns a shortest way from a step to itself. */
function circleFrom(name: string, next: Graph['next']): string[] | undefined {
  const via = new Map<string, string>()
  const waiting = [name]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const { name: to } of next(at)) {
      if (to === name) return wayTo(at, name, via)
      if (!via.has(to)) {
        via.set(to, at)
        waiting.push(to)
      }
    }
  }
  return undefined
}

function wayTo(end: string, start: string, via: ReadonlyMap<string, string>): string[] {
  const way = [end]
  for (let at = end; at !== start;) {
    at = via.get(at) ?? start
    way.unshift(at)
  }
  return way
}

function effectFaults(step: DeliveryStep, { kindOf, next }: Graph): PlanFault[] {
  const kind = kindOf(step)
  if (!kind) return []
  const { name } = step
  const isLast = next(name).length === 0
  const faults: PlanFault[] = []
  if (kind.role === 'scanner' && step.after.length > 0)
    faults.push({ step: name, message: message('delivery.plan.scannerAfter', { step: name }) })
  if (kind.effect === 'potent' && kind.isMutating && !isLast)
    faults.push({ step: name, message: message('delivery.plan.potentMutating', { step: name }) })
  if (kind.effect === 'safe' && isLast)
    faults.push({ step: name, message: message('delivery.plan.safeLast', { step: name }) })
  return faults
}

function routerFaults({ name, router }: DeliveryStep, { next }: Graph): PlanFault[] {
  const names = next(name).map((each) => each.name)
  if (names.length > 1 && !router)
    return [{ step: name, message: message('delivery.plan.noRouter', { step: name, count: names.length }) }]
  if (router?.kind !== 'stepName' && router?.kind !== 'field') return []
  const targets = [...Object.values(router.values), ...(router.kind === 'field' ? [router.otherwise ?? []].flat() : [])]
  return [...new Set(targets)]
    .filter((target) => !names.includes(target))
    .map((target) => ({ step: name, message: message('delivery.plan.routerTarget', { step: name, target }) }))
}

function unreachedFaults({ steps, kindOf, next }: Graph): PlanFault[] {
  const scanners = steps.filter((step) => kindOf(step)?.role === 'scanner')
  if (scanners.length === 0) return [{ step: null, message: message('delivery.plan.noScanner') }]
  const all = new Set(scanners.flatMap(({ name }) => [...reached(name, (at) => next(at).map((each) => each.name))]))
  return steps
    .filter(({ name }) => !all.has(name))
    .map(({ name }) => ({ step: name, message: message('delivery.plan.unreached', { step: name }) }))
}

/** Branches that part and join again and again multiply: such a plan has more places than anyone could follow. */
function sizeFaults({ steps, kindOf }: Graph): PlanFault[] {
  return steps
    .filter((step) => kindOf(step)?.role === 'scanner' && placesOf(step.name, { steps, kindOf }) === undefined)
    .map(({ name }) => ({ step: name, message: message('delivery.plan.branches', { step: name, most: placesMax }) }))
}

/** Returns the names that are reached from a name, and the name itself. */
function reached(name: string, next: (name: string) => readonly string[]): Set<string> {
  const found = new Set([name])
  for (const at of found) for (const each of next(at)) found.add(each)
  return found
}
