/**
 * Display and changes of a job's queue while it runs or waits: budgets of domains, rules that reject, deletions, priorities. Each change is
 * one transaction, and each can be tried first (`isTrial`).
 */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { patternShape } from '../shapes/pattern.ts'
import { count, jobId as job, messageShape, time } from '../shapes/shapes.ts'
import { call } from '../calls/service.ts'
import { message } from '../words/message.ts'

/** Longer than any pattern that users write; an expression of a megabyte would be an attack. */
const patternCharactersMax = 2_000
const pattern = patternShape.min(1).max(patternCharactersMax)

export const jobPriorityLeast = 1
export const jobPriorityMost = 10
/** Budgets of one call; a list of all domains of a country takes several. */
const budgetsAtOnceMax = 10_000
export const firstUrlsMax = 20

/** The documents concerned: those whose URL matches, those of a host, or both. */
export const selectionShape = z
  .strictObject({ pattern: pattern.optional(), host: z.string().trim().toLowerCase().min(1).max(255).optional() })
  .refine(
    ({ pattern, host }) => pattern !== undefined || host !== undefined,
    refusedAs((field) => message('value.patternOrHost', { field })),
  )
export type Selection = z.output<typeof selectionShape>

export const lifts = ['first', 'usual', 'last'] as const
export type Lift = (typeof lifts)[number]

/** Shape of the budget of a domain. */
export const budgetShape = z.strictObject({
  domain: z.string().trim().toLowerCase().min(1).max(255),
  /** Null: unbounded. If both are null, the budget of the domain is removed. */
  objects: count.nullable(),
  bytes: count.nullable(),
})
export type Budget = z.output<typeof budgetShape>

/** Effect of a change, or of its trial. */
export const effect = z.object({
  /** Number of waiting documents. */
  documents: count,
  /**
   * Number of documents in progress: they are excluded too, unless they are being fetched already; a change of the place in the queue does
   * not apply to them.
   */
  inProgress: count,
  /** The first documents concerned, in the order in which they were found. */
  first: z.array(z.string()).max(firstUrlsMax),
})
export type Effect = z.output<typeof effect>

/** Shape of a rule that rejects documents. */
export const rule = z.object({
  rule: count,
  pattern: z.string(),
  added: time,
  /** Why it is not a valid pattern, where an earlier Loupe accepted it; null: the rule rejects what matches. */
  problem: messageShape.nullable(),
  /** Number of documents that it excludes. */
  rejected: count,
})
export type RejectRule = z.output<typeof rule>

/** Shape of a budget with its present use. */
export const budgetUse = z.object({
  domain: z.string(),
  objectsMax: count.nullable(),
  bytesMax: count.nullable(),
  /** Documents fetched in this run. */
  objects: count,
  bytes: count,
  waiting: count,
  /** Documents excluded by the budget. */
  excluded: count,
})
export type BudgetUse = z.output<typeof budgetUse>

/** Effect of a new budget on one domain: the documents that it excludes and readmits. */
export const budgetEffect = budgetUse.extend({
  /** Documents that wait now and would be excluded at once, since the budget is spent already. */
  dropped: count,
  /** Documents that are excluded now and would wait again. */
  restored: count,
  /** Upper bound of the documents waiting then for which the budget will have no room. Null where only bytes are bounded. */
  over: count.nullable(),
})
export type BudgetEffect = z.output<typeof budgetEffect>

/** Shape of a host in the queue. */
export const queueHost = z.object({
  host: z.string(),
  domain: z.string(),
  waiting: count,
  inFlight: count,
  fetched: count,
  failed: count,
  /** When the first waiting document is due; null: now, or none waits. */
  nextDue: time.nullable(),
  /** No requests are sent to the host until then; null: it may be asked. */
  restingUntil: time.nullable(),
  /** Documents per minute. */
  pace: z.number().min(0),
})
export type QueueHost = z.output<typeof queueHost>

/** Shape of a document in the queue. */
export const queuedDocument = z.object({
  url: z.string(),
  host: z.string(),
  hopPath: z.string(),
  lift: z.enum(lifts),
})
export type QueuedDocument = z.output<typeof queuedDocument>

/** Shape of a job's queue. */
export const queueWhole = z.object({
  job,
  /** 1 is the highest priority. */
  priority: z.int().min(jobPriorityLeast).max(jobPriorityMost),
  /** Current activity, or what the job waits for, as a sentence. */
  doing: messageShape,
  waiting: count,
  inFlight: count,
  /** Hosts, those with most waiting documents first. */
  hosts: z.array(queueHost),
  hostsTotal: count,
  /** Documents in the order in which they will be handed out. */
  head: z.array(queuedDocument),
  rules: z.array(rule),
  budgets: z.array(budgetUse),
})
export type QueueWhole = z.output<typeof queueWhole>

const isTrial = z.boolean().default(false)

export const liveCalls = {
  /** `host`: shows only this one. */
  show: call(z.strictObject({ job, host: z.string().optional() }), queueWhole),
  /** Rejects matching documents from now on, and drops those that wait. */
  reject: call(z.strictObject({ job, pattern, isTrial }), effect),
  /** Removes a rule: the documents that it excluded wait again. */
  unreject: call(z.strictObject({ job, rule: count }), effect),
  /** Drops waiting documents without adding a rule: if found again elsewhere they stay excluded. */
  drop: call(z.strictObject({ job, of: selectionShape, isTrial }), effect),
  lift: call(z.strictObject({ job, of: selectionShape, to: z.enum(lifts), isTrial }), effect),
  priority: call(z.strictObject({ job, priority: z.int().min(jobPriorityLeast).max(jobPriorityMost) }), z.object({})),
  budgets: call(
    z.strictObject({ job, budgets: z.array(budgetShape).min(1).max(budgetsAtOnceMax), isTrial }),
    z.array(budgetEffect),
  ),
}
