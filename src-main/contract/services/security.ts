/** Security rules: which access tokens a user needs for captures, by job and URL; and what a user may see. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { refusedAs } from '../calls/refusedValue.ts'
import { tokenLevels } from '../shapes/choices.ts'
import { jobId, messageShape, nothing } from '../shapes/shapes.ts'
import { message } from '../words/message.ts'
import { accessRequest, groupName, userAccess } from './authorities.ts'

export type TokenLevel = (typeof tokenLevels)[number]

/** Tokens in one rule at most, of each kind. */
const tokensMax = 1_000
const tokens = z.array(z.string().trim().min(1).max(1_000)).max(tokensMax)

/** `com,example)/private`, `com,example` for a host and every host below it, or nothing for every URL. */
const surtPrefix = z
  .string()
  .trim()
  .toLowerCase()
  .max(2_000)
  .refine(
    (text) => /^([^\s/:(]+(\)\S*)?)?$/.test(text),
    refusedAs((field) => message('value.surt', { field, example: 'com,example)/private' })),
  )

const ruleShape = {
  /** Captures of this job; null: of every job. */
  job: jobId.nullable(),
  /** URLs below this SURT prefix; empty: every URL. */
  surtPrefix: z.string(),
  level: z.enum(tokenLevels),
  /** Name of the authority group that secures the captures. */
  group: z.string(),
  /** A user needs one of these. */
  allow: z.array(z.string()),
  /** A user with one of these sees nothing. */
  deny: z.array(z.string()),
}

/** What a user gives a security rule. */
export const securityRuleInput = z.strictObject({
  job: jobId.nullable().default(null),
  surtPrefix: surtPrefix.default(''),
  level: z.enum(tokenLevels).default('share'),
  group: groupName,
  allow: tokens.default([]),
  deny: tokens.default([]),
})
export type SecurityRuleInput = z.output<typeof securityRuleInput>

const rule = z.int().min(1)
/** A security rule, as it is listed. */
export const securityRule = z.object({ rule, ...ruleShape })
export type SecurityRule = z.output<typeof securityRule>

/** What the rules of one group say about a capture. */
const groupDecision = z.object({
  group: z.string(),
  /** The rule of each level that has one, and whether the user's tokens agree with it. */
  levels: z.array(z.object({ level: z.enum(tokenLevels), rule: securityRule, isAgreed: z.boolean() })),
  isAgreed: z.boolean(),
})
export type GroupDecision = z.output<typeof groupDecision>

/** Whether a user may see a capture, and why. */
const decision = z.object({
  maySee: z.boolean(),
  message: messageShape,
  /** Empty: nothing secures the capture. */
  groups: z.array(groupDecision),
  access: userAccess,
})
export type SecurityDecision = z.output<typeof decision>

export const securityCalls = {
  /** Lists the rules: those of every job first, then by job; of each, by prefix. */
  rules: call(z.strictObject({ job: jobId.optional() }), z.array(securityRule)),
  /** Adds a rule, or replaces the one for the same job, prefix, level and group. */
  set: call(securityRuleInput, securityRule),
  remove: call(z.strictObject({ rule }), nothing),
  /** Tells whether a user may see the capture of a URL in a job. */
  decide: call(
    z.strictObject({
      ...accessRequest.shape,
      url: z.string().min(1).max(100_000),
      job: jobId.nullable().default(null),
    }),
    decision,
  ),
  /** A rule was set or removed. */
  changed: event(nothing),
} as const
