/**
 * Shape of a delivery plan: named steps that form a graph, from scanners over processors to destinations. A plan is written as TOML or made
 * in code. What a shape cannot say (cycles, steps that are never reached) is checked in `delivery/plan`.
 */
import { z } from 'zod'
import { nameShape } from '../shapes/names.ts'

/** Effect of a step outside of Loupe. `safe`: none. `idempotent`: a repetition changes nothing. `potent`: every repetition counts. */
export const stepEffects = ['safe', 'idempotent', 'potent'] as const
export type StepEffect = (typeof stepEffects)[number]

/** When the status of a document is stored. `atMostOnce`: before it is sent, so that it is never sent twice and may be lost.
 *  `atLeastOnce`: afterwards, so that it is never lost and may be sent twice. */
export const guarantees = ['atMostOnce', 'atLeastOnce'] as const
export type Guarantee = (typeof guarantees)[number]

/** Chooses among several next steps. */
export const routerShape = z.discriminatedUnion('kind', [
  /** A copy for each next step. */
  z.strictObject({ kind: z.literal('all') }),
  /** The field names the next step; `values` replaces its values by names first. */
  z.strictObject({
    kind: z.literal('stepName'),
    field: z.string().min(1).default('nextStep'),
    values: z.record(z.string(), z.string()).default({}),
  }),
  /** The value of the field selects the next step, `otherwise` takes all other documents. */
  z.strictObject({
    kind: z.literal('field'),
    field: z.string().min(1),
    values: z.record(z.string(), z.string()),
    otherwise: z.string().optional(),
  }),
  /** One next step after the other. */
  z.strictObject({ kind: z.literal('roundRobin') }),
])
export type DeliveryRouter = z.output<typeof routerShape>

const milliseconds = z.int().min(0).max(86_400_000)

/** A step of a plan. */
export const deliveryStepShape = z.strictObject({
  name: z.string(),
  /** Name of a kind of step, such as `captures`, `text` or `solr`. */
  kind: z.string(),
  /** Names of the steps before this one. A scanner has none. */
  after: z.array(z.string()).max(100).default([]),
  router: routerShape.optional(),
  /** Settings of the kind. */
  settings: z.record(z.string(), z.unknown()).default({}),
  /** Time for one document, or for one request with a batch. */
  timeoutMs: milliseconds.min(1).default(60_000),
  /** Scanner: attempts for a document before it is given up. */
  attemptsMax: z.int().min(1).max(100).default(3),
  /** Scanner: time from the start of one scan to the start of the next; absent: it scans once. */
  intervalSeconds: z.number().min(0.025).max(31_536_000).optional(),
  /** Scanner: documents that were processed are not processed again. */
  remembers: z.boolean().default(true),
  /** Scanner that remembers: changed documents are processed again. */
  detectsChanges: z.boolean().default(true),
  /** Destination: absent: as its kind has it. */
  guarantee: z.enum(guarantees).optional(),
  /** Destination: time before a failed document is sent again; absent: with the next scan. */
  retryDelayMs: milliseconds.optional(),
  /** Destination: documents in a request; absent: as its kind has it. */
  batchMax: z.int().min(1).max(10_000).optional(),
  /** Destination: time after which a batch is sent that is not full. */
  batchDelayMs: milliseconds.default(5_000),
})
export type DeliveryStep = z.output<typeof deliveryStepShape>

/** Steps of a plan: more would be no plan that anyone understands. */
export const deliveryStepsMax = 100

/** A plan. */
export const deliveryPlanShape = z.strictObject({
  name: nameShape,
  steps: z.array(deliveryStepShape).min(1).max(deliveryStepsMax),
  /** Days for which events of settled documents are kept. */
  keepDays: z.int().min(1).max(36_500).default(90),
})
export type DeliveryPlan = z.output<typeof deliveryPlanShape>
/** A plan as it is written: settings with a default may be absent. */
export type WrittenDeliveryPlan = z.input<typeof deliveryPlanShape>
