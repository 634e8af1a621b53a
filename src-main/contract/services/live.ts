/** What people may see and change of a job's queue while it runs or waits: budgets of domains, rules that reject, what is
 *  deleted, what comes first. Each change is one transaction, and each can be tried before (`isTrial`). */
import { z } from 'zod'
import { patternShape } from '../shapes/pattern.ts'
import { call } from '../calls/service.ts'

const time = z.iso.datetime()
const count = z.int().min(0)
const job = z.int().min(1)
/** Longer than any that a person writes; an expression of a megabyte would be an attack. */
const patternCharactersMax = 2_000
const pattern = patternShape.min(1).max(patternCharactersMax)

export const jobPriorityLeast = 1
export const jobPriorityMost = 10
/** One paste of a person; a list of all domains of a country comes in several. */
const budgetsAtOnceMax = 10_000
export const firstUrlsMax = 20

/** Of which documents: those whose address matches, those of a host, or both. */
export const selectionShape = z
  .strictObject({ pattern: pattern.optional(), host: z.string().trim().toLowerCase().min(1).max(255).optional() })
  .refine(({ pattern, host }) => pattern !== undefined || host !== undefined, 'enter a pattern, a host, or both')
export type Selection = z.output<typeof selectionShape>

export const lifts = ['first', 'usual', 'last'] as const
export type Lift = (typeof lifts)[number]

export const budgetShape = z.strictObject({
  domain: z.string().trim().toLowerCase().min(1).max(255),
  /** Null: as many as there are. Both null: the domain has no budget any more. */
  objects: count.nullable(),
  bytes: count.nullable(),
})
export type Budget = z.output<typeof budgetShape>

/** What a change does, or would do. */
export const effect = z.object({
  /** Of those that wait. */
  documents: count,
  /** Of those that are in hands: they are left out too, unless they are being fetched already; to a place in the queue none is put. */
  inHands: count,
  /** The first of what the change is of, in the order in which they were found. */
  first: z.array(z.string()).max(firstUrlsMax),
})
export type Effect = z.output<typeof effect>

export const rule = z.object({
  rule: count,
  pattern: z.string(),
  added: time,
  /** Why it is no pattern, where an earlier Loupe took it; null: it rejects what matches. */
  problem: z.string().nullable(),
  /** Documents that it keeps out. */
  rejected: count,
})
export type RejectRule = z.output<typeof rule>

export const budgetStanding = z.object({
  domain: z.string(),
  objectsMax: count.nullable(),
  bytesMax: count.nullable(),
  /** Fetched in this run. */
  objects: count,
  bytes: count,
  waiting: count,
  /** Kept out by the budget. */
  excluded: count,
})
export type BudgetStanding = z.output<typeof budgetStanding>

/** Of one domain: what a new budget leaves out and brings back. */
export const budgetEffect = budgetStanding.extend({
  /** Waiting now, and left out at once: the budget is spent already. */
  dropped: count,
  /** Left out now, and waiting again. */
  restored: count,
  /** Of what waits then, at the most: what the budget will have no room for. Null where only bytes are bounded. */
  over: count.nullable(),
})
export type BudgetEffect = z.output<typeof budgetEffect>

export const queueHost = z.object({
  host: z.string(),
  domain: z.string(),
  waiting: count,
  inFlight: count,
  fetched: count,
  failed: count,
  /** When the first of what waits is due; null: now, or nothing waits. */
  nextDue: time.nullable(),
  /** It is left alone until then; null: it may be asked. */
  restingUntil: time.nullable(),
  /** Documents a minute. */
  pace: z.number().min(0),
})
export type QueueHost = z.output<typeof queueHost>

export const queuedDocument = z.object({
  url: z.string(),
  host: z.string(),
  hopPath: z.string(),
  lift: z.enum(lifts),
})
export type QueuedDocument = z.output<typeof queuedDocument>

export const queueWhole = z.object({
  job,
  /** 1 is before all others. */
  priority: z.int().min(jobPriorityLeast).max(jobPriorityMost),
  /** What it does or waits for now, as a sentence. */
  doing: z.string(),
  waiting: count,
  inFlight: count,
  /** Those with most to do first. */
  hosts: z.array(queueHost),
  hostsTotal: count,
  /** In the order in which they will be handed out. */
  head: z.array(queuedDocument),
  rules: z.array(rule),
  budgets: z.array(budgetStanding),
})
export type QueueWhole = z.output<typeof queueWhole>

const isTrial = z.boolean().default(false)

export const liveCalls = {
  /** `host`: only this one. */
  show: call(z.strictObject({ job, host: z.string().optional() }), queueWhole),
  /** Refuses what matches from now on, and drops what waits of it. */
  reject: call(z.strictObject({ job, pattern, isTrial }), effect),
  /** What the rule kept out waits again. */
  unreject: call(z.strictObject({ job, rule: count }), effect),
  /** Drops what waits, without a rule: found again elsewhere it stays out. */
  drop: call(z.strictObject({ job, of: selectionShape, isTrial }), effect),
  lift: call(z.strictObject({ job, of: selectionShape, to: z.enum(lifts), isTrial }), effect),
  priority: call(z.strictObject({ job, priority: z.int().min(jobPriorityLeast).max(jobPriorityMost) }), z.object({})),
  budgets: call(
    z.strictObject({ job, budgets: z.array(budgetShape).min(1).max(budgetsAtOnceMax), isTrial }),
    z.array(budgetEffect),
  ),
}
