/** Delivery plans: checked, saved in versions, run; and the status of each document at each destination. A plan is written as TOML, with the
 *  shape of `deliveryPlan.ts`. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { nameShape } from '../shapes/names.ts'
import { count, messageShape, nothing, time } from '../shapes/shapes.ts'
import { deliveryStates } from '../states/deliveryStates.ts'
import { deliveryPlanShape } from './deliveryPlan.ts'

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
  /** Why the run has failed; it is started again after a pause. Null: it has not. */
  problem: messageShape.nullable(),
  /** Deliveries per status: one for each document and destination. */
  counts,
})
export type DeliveryPlanRow = z.output<typeof deliveryPlanRow>

/** What is wrong with a step, or with the plan as a whole. */
const planFinding = z.object({ step: z.string().nullable(), message: messageShape })
const checkedPlan = z.object({ faults: z.array(planFinding), warnings: z.array(planFinding) })

/** What a new version takes over: all current statuses, none, so that every document is delivered again, or those in some states. */
const migration = z.union([z.enum(['keep', 'refeed']), z.strictObject({ keep: z.array(state).min(1) })])

/** Shape of a destination of a plan. */
export const deliveryDestination = z.object({
  /** Number that the other calls take. */
  id: z.int().min(1),
  scanner: z.string(),
  destination: z.string(),
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

const decision = z.enum(deliveryDecisions)
/** Documents of one decision that are named one by one. */
const chosenMax = 10_000
const destination = z.int().min(1)

export const deliveryCalls = {
  /** The plans by name, each with the version that runs, otherwise with its newest. */
  list: call(z.strictObject({}), z.array(deliveryPlanRow)),
  show: call(z.strictObject(one), z.object({ ...deliveryPlanRow.shape, plan: deliveryPlanShape })),
  check: call(z.strictObject({ toml }), checkedPlan),
  /** Saves a plan, or a new version of the one with this name. Refused while the plan runs. */
  save: call(
    z.strictObject({ toml, migration: migration.default('keep') }),
    z.object({ ...deliveryPlanRow.shape, warnings: checkedPlan.shape.warnings }),
  ),
  /** Runs a version, also after the next start of the engine. Does nothing if it runs already; refused while another version does. */
  run: call(z.strictObject({ ...one, isOnce: z.boolean().default(false) }), deliveryPlanRow),
  /** Resolves when the plan has stopped. */
  stop: call(z.strictObject({ name: nameShape }), deliveryPlanRow),
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
