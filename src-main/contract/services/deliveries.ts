/** Delivery plans: checked, saved in versions, run; and the status of each document at each destination. A plan is written as TOML, with the
 *  shape of `deliveryPlan.ts`. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { nameShape } from '../shapes/names.ts'
import { count, messageShape, nothing, time } from '../shapes/shapes.ts'
import { deliveryStates, type DeliveryState } from '../states/deliveryStates.ts'
import { deliveryPlanShape, guarantees, routerShape, stepEffects } from './deliveryPlan.ts'

const state = z.enum(deliveryStates.states)
const counts = z.partialRecord(state, count)
const versionNumber = z.int().min(1)
/** A plan by its name. Absent version: the one that runs, otherwise the newest. */
const one = { name: nameShape, version: versionNumber.optional() }

/** Characters of a plan as TOML. */
const tomlCharactersMax = 1_000_000
const toml = z.string().max(tomlCharactersMax)

/** `waiting`: other plans run, or no engine does; it starts by itself. */
const planRunStates = ['running', 'waiting', 'stopped'] as const

/** Shape of a plan as it is listed. */
export const deliveryPlanRow = z.object({
  name: z.string(),
  version: versionNumber,
  /** Newest version of the plan. */
  newest: versionNumber,
  created: time,
  run: z.enum(planRunStates),
  /** Whether the run ends when every document is settled, whatever the intervals of the scanners. */
  isOnce: z.boolean(),
  /** Why the run has failed; it is started again after a pause. Null: it has not, or a new attempt gets on. */
  problem: messageShape.nullable(),
  /** Deliveries per status: one for each document and destination. */
  counts,
})
export type DeliveryPlanRow = z.output<typeof deliveryPlanRow>

/** Shape of the present or last run of a plan, with its documents since it began. Documents that are processed again count again. */
export const deliveryProgress = z.object({
  version: versionNumber,
  started: time,
  /** Null: it runs. */
  ended: time.nullable(),
  /** Documents that went on from one step to the next. */
  edges: z.array(z.object({ from: z.string(), to: z.string(), documents: count })),
  /** `done`: a scanner has found them, a processor has processed them, a destination has accepted them. */
  steps: z.array(z.object({ step: z.string(), done: count, dropped: count, failed: count })),
})
export type DeliveryProgress = z.output<typeof deliveryProgress>

/** What is wrong with a step, or with the plan as a whole. */
const planFinding = z.object({ step: z.string().nullable(), message: messageShape })
const findings = { faults: z.array(planFinding), warnings: z.array(planFinding) }

/** What a step does with documents: finds, processes or takes them. */
export const stepRoles = ['scanner', 'processor', 'destination'] as const
export type StepRole = (typeof stepRoles)[number]

/** Shape of a step with what its kind declares. */
export const deliveryStepFacts = z.object({
  name: z.string(),
  kind: z.string(),
  role: z.enum(stepRoles),
  effect: z.enum(stepEffects),
  /** Whether documents that go on differ from those that came. */
  isMutating: z.boolean(),
  /** Names of the steps before it. */
  after: z.array(z.string()),
  /** Null: at most one step follows. */
  router: routerShape.nullable(),
  /** Null: it is no destination. */
  guarantee: z.enum(guarantees).nullable(),
})
export type DeliveryStepFacts = z.output<typeof deliveryStepFacts>

/** Shape of a version of a plan with all that belongs to it. */
const planDetails = z.object({
  ...deliveryPlanRow.shape,
  plan: deliveryPlanShape,
  /** As it was written, with its comments. */
  toml: z.string(),
  steps: z.array(deliveryStepFacts),
  /** All versions of the plan, the newest first. */
  versions: z.array(z.object({ version: versionNumber, created: time })),
})
export type DeliveryPlanDetails = z.output<typeof planDetails>

/** What a check of a text has found. `plan`: name and steps; null: the text has faults. */
const checkedPlan = z.object({
  ...findings,
  plan: z.object({ name: z.string(), steps: z.array(deliveryStepFacts) }).nullable(),
})
export type CheckedPlan = z.output<typeof checkedPlan>

/** What a new version takes over: all current statuses, none, so that every document is delivered again, or those in some states. */
const migration = z.union([z.enum(['keep', 'refeed']), z.strictObject({ keep: z.array(state).min(1) })])

/** Shape of a destination of a plan. */
export const deliveryDestination = z.object({
  /** Number that the other calls take. */
  id: z.int().min(1),
  scanner: z.string(),
  destination: z.string(),
  /** Name of its step: a destination that is reached over several branches has a name for each. */
  step: z.string(),
  counts,
})
export type DeliveryDestination = z.output<typeof deliveryDestination>

/** Shape of a document at a destination. */
export const deliveredDocument = z.object({
  /** Number of the status, for decisions and for the next page. */
  id: z.int().min(1),
  document: z.string(),
  state,
  changed: time,
  message: messageShape.nullable(),
})
export type DeliveredDocument = z.output<typeof deliveredDocument>

/** Shape of an event of a document. */
const deliveryEvent = z.object({
  scanner: z.string(),
  destination: z.string(),
  state,
  at: time,
  message: messageShape.nullable(),
})

/** `retry` and `force` send a document again; `force` also replaces a `retry`. `drop` does not send it any more. */
export const deliveryDecisions = ['retry', 'force', 'drop'] as const
export type DeliveryDecision = (typeof deliveryDecisions)[number]

/** Status that a decision gives to documents. */
export const decidedState = { retry: 'RESTART', force: 'FORCE', drop: 'DROPPED' } as const satisfies Record<
  DeliveryDecision,
  DeliveryState
>

const decision = z.enum(deliveryDecisions)
/** Documents of one decision that are named one by one. */
export const chosenMax = 10_000
const destination = z.int().min(1)

export const deliveryCalls = {
  /** The plans by name, each with the version that runs, otherwise with its newest. */
  list: call(z.strictObject({}), z.array(deliveryPlanRow)),
  show: call(z.strictObject(one), planDetails),
  check: call(z.strictObject({ toml }), checkedPlan),
  /** Saves a plan, or a new version of the one with this name. Refused while the plan runs. */
  save: call(
    z.strictObject({ toml, migration: migration.default('keep') }),
    z.object({ ...deliveryPlanRow.shape, warnings: findings.warnings }),
  ),
  /** Runs a version, also after the next start of the engine. Does nothing if it runs already; refused while another version does. */
  run: call(z.strictObject({ ...one, isOnce: z.boolean().default(false) }), deliveryPlanRow),
  /** Resolves when the plan has stopped. */
  stop: call(z.strictObject({ name: nameShape }), deliveryPlanRow),
  /** The present or last run in this process of the engine; null: there was none. */
  progress: call(z.strictObject({ name: nameShape }), deliveryProgress.nullable()),
  counts: call(z.strictObject(one), z.array(deliveryDestination)),
  /** Documents in a status at a destination, after the one with the number `after`; with `document` only that one. */
  documents: call(
    z.strictObject({
      ...{ destination, state, after: count.default(0), limit: z.int().min(1).max(1_000).default(200) },
      document: z.string().min(1).optional(),
    }),
    z.array(deliveredDocument),
  ),
  /** All events of a document, the oldest first. */
  history: call(z.strictObject({ ...one, document: z.string().min(1) }), z.array(deliveryEvent)),
  /** Decides about documents, and returns for how many their status allows it. */
  decide: call(
    z.strictObject({
      decision,
      documents: z.union([
        /** Numbers of statuses. */
        z.array(z.int().min(1)).max(chosenMax),
        /** All in a status at a destination. */
        z.strictObject({ destination, state }),
      ]),
    }),
    z.object({ decided: count }),
  ),
  /** A plan, a run, or the status of a document has changed. */
  changed: event(nothing),
} as const
