/** Reads a plan from TOML or from a value of the same shape, and reports everything that is wrong with it at once. Pure. */
import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'
import { problemOf, valueAt } from '../../contract/calls/refusedValue.ts'
import {
  deliveryPlanShape,
  deliveryStepShape,
  deliveryStepsMax,
  type DeliveryPlan,
  type DeliveryStep,
} from '../../contract/services/deliveryPlan.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { StepKinds } from '../model/steps.ts'
import { graphFaults, graphWarnings } from './graphChecks.ts'
import type { PlanFault } from './planFault.ts'

/** A plan that was read, with what its author should know; or everything that is wrong with it. */
export type PlanRead = { plan: DeliveryPlan; warnings: PlanFault[] } | { faults: PlanFault[]; warnings: PlanFault[] }

/** Reads the TOML text of a plan. */
export function readPlanToml(toml: string, kinds: StepKinds): PlanRead {
  try {
    return readPlan(parse(toml), kinds)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const problem = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''
    return { faults: [{ step: null, message: message('template.toml', { line: error.line, problem }) }], warnings: [] }
  }
}

/** Reads a plan from a value. */
export function readPlan(value: unknown, kinds: StepKinds): PlanRead {
  const written = stepsOf(value)
  const read = written.map((step, at) => readStep(step, nameOf(step, at)))
  const steps = read.flatMap(({ step }) => (step ? [step] : []))
  const plan = deliveryPlanShape.safeParse(value)
  const faults = [
    ...(plan.success ? [] : faultsOfPlan(plan.error.issues, value)),
    ...(written.length > deliveryStepsMax ? [] : read.flatMap((each) => each.faults)),
    ...steps.flatMap((step) => settingFaults(step, kinds)),
    ...graphFaults(steps, kinds, { isWhole: steps.length === written.length }),
  ]
  const warnings = faults.length === 0 ? graphWarnings(steps) : []
  return plan.success && faults.length === 0 ? { plan: plan.data, warnings } : { faults, warnings }
}

function stepsOf(value: unknown): unknown[] {
  const steps = valueAt(value, ['steps'])
  return Array.isArray(steps) ? steps : []
}

function nameOf(step: unknown, at: number): string {
  const name = valueAt(step, ['name'])
  return typeof name === 'string' && name !== '' ? name : String(at + 1)
}

function readStep(value: unknown, name: string): { step?: DeliveryStep; faults: PlanFault[] } {
  const read = deliveryStepShape.safeParse(value)
  if (read.success) return { step: read.data, faults: [] }
  const faults = read.error.issues.map((issue) => ofStep(name, fieldProblem(issue, value)))
  const edges = edgesOf(value)
  return { faults, ...(edges && { step: edges }) }
}

/** Returns what the graph needs of a step with wrong fields, so that its faults are reported too; undefined where even that is wrong. */
function edgesOf(value: unknown): DeliveryStep | undefined {
  const { name, kind, after, router, settings } = deliveryStepShape.shape
  const wanted = z.object({ name, kind, after, router: router.catch(undefined), settings: settings.catch({}) })
  const read = wanted.safeParse(value)
  return read.success ? deliveryStepShape.parse(read.data) : undefined
}

function fieldProblem(issue: z.core.$ZodIssue, value: unknown): Message {
  return problemOf(
    issue,
    issue.path.map(String).join('.') || message('value.input'),
    valueAt(value, issue.path) === undefined,
  )
}

/** What is wrong with the plan itself: its steps report for themselves. */
function faultsOfPlan(issues: readonly z.core.$ZodIssue[], value: unknown): PlanFault[] {
  return issues
    .filter(({ path }) => path[0] !== 'steps' || path.length === 1)
    .map((issue) => ({ step: null, message: fieldProblem(issue, value) }))
}

function settingFaults({ name, kind, settings }: DeliveryStep, kinds: StepKinds): PlanFault[] {
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (!known) {
    const names = Object.keys(kinds).sort().join(', ')
    return [{ step: name, message: message('delivery.plan.kind', { step: name, kind, names }) }]
  }
  const read = known.settings.safeParse(settings)
  return read.success ? [] : read.error.issues.map((issue) => ofStep(name, fieldProblem(issue, settings)))
}

function ofStep(step: string, problem: Message): PlanFault {
  return { step, message: message('delivery.plan.step', { step, problem }) }
}
