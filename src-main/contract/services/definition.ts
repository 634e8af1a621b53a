/** Shape of the definition of a harvest, and the check of its patterns. */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message, type Message } from '../words/message.ts'
import { orders, scopes } from '../shapes/choices.ts'
import { deduplicationShape } from '../shapes/deduplication.ts'
import { domainRulesShape, patternsMax } from '../shapes/domainRules.ts'
import { hopsShape } from '../shapes/hops.ts'
import { outputChoices } from '../shapes/outputChoice.ts'
import { patternIssue, patternProblem } from '../shapes/pattern.ts'
import { recheckShape } from '../shapes/recheck.ts'
import { count } from '../shapes/shapes.ts'
import { throttleShape } from '../shapes/throttle.ts'
import { connectorChoice } from './connectors.ts'
import { loginShape } from './login.ts'
import { scheduleShape } from './schedule.ts'

/** The value becomes a line of a request: printable ASCII only. */
export const userAgentShape = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(
    (text) => /^[ -~]*$/.test(text),
    refusedAs((field) => message('value.ascii', { field })),
  )

/** Seeds of one definition: enough for a job of 10,000 domain configurations. */
const seedsMax = 100_000

/**
 * Definition of a harvest as it is stored. An absent limit does not apply. Its patterns may be invalid today: an earlier Loupe accepted
 * everything that JavaScript accepts.
 */
export const storedDefinition = z.strictObject({
  seeds: z.array(z.string().trim().min(1)).min(1).max(seedsMax),
  name: z.string().trim().max(200).optional(),
  /** Which pages belong to the harvest, relative to the seeds. Page requisites are fetched from any host whatever the scope. */
  scope: z.enum(scopes).default('host'),
  maxHops: count.optional(),
  hops: hopsShape.optional(),
  maxObjects: z.int().min(1).optional(),
  maxBytes: z.int().min(1).optional(),
  maxSeconds: z.int().min(1).optional(),
  /** A run ends when it has received nothing for this long (NetarchiveSuite, `noResponseTimeout`). */
  maxNoResponseSeconds: z.int().min(1).optional(),
  /** A run ends when no request was in progress for this long (NetarchiveSuite, `inactivityTimeout`). */
  maxInactiveSeconds: z.int().min(1).optional(),
  workers: z.int().min(1).max(100).optional(),
  /** Pause between two requests to one host. */
  delayMs: z.int().min(0).max(3_600_000).optional(),
  connectionsPerHost: z.int().min(1).max(100).optional(),
  robots: z.enum(['obey', 'ignore']).default('obey'),
  /** The order of documents in WARC files: as their answers arrive, or as they were found. */
  order: z.enum(orders).optional(),
  throttle: throttleShape.optional(),
  include: z.array(z.string()).max(patternsMax).default([]),
  exclude: z.array(z.string()).max(patternsMax).default([]),
  /** Rules that apply only to URLs of one domain. */
  domains: domainRulesShape.optional(),
  userAgent: userAgentShape.optional(),
  /** Host name → address or address:port, consulted before the resolver: for a site that moves, or is not public yet. */
  resolve: z.record(z.string(), z.string()).default({}),
  recheck: recheckShape.optional(),
  deduplication: deduplicationShape.optional(),
  connectors: connectorChoice.optional(),
  /** Output connections to which documents are delivered after they were captured. */
  outputs: outputChoices.optional(),
  /** With a schedule the job waits for its first window or a manual start; without one it starts at once. */
  schedule: scheduleShape.optional(),
  login: loginShape.optional(),
})
export type HarvestDefinition = z.output<typeof storedDefinition>

/** The definition with the checks that apply to a new one. */
export const harvestDefinition = storedDefinition.superRefine((definition, { addIssue }) => {
  for (const { path, message: problem } of patternProblems(definition)) addIssue({ ...patternIssue(problem), path })
})

interface PatternProblem {
  /** Path in the definition. */
  path: (string | number)[]
  written: string
  message: Message
}

/** The parts of a definition that have patterns. */
type PatternParts = Pick<HarvestDefinition, 'include' | 'exclude' | 'domains' | 'throttle' | 'login'>

/** Returns a problem for every invalid pattern of the definition. */
export function patternProblems({ include, exclude, domains = {}, throttle, login }: PatternParts): PatternProblem[] {
  const problems: PatternProblem[] = []
  const look = (written: string, path: (string | number)[], ignoresCase = false) => {
    const problem = patternProblem(written, { ignoresCase })
    if (problem !== null) problems.push({ path, written, message: problem })
  }
  include.forEach((written, at) => look(written, ['include', at]))
  const lookAtAll = (patterns: readonly string[], path: string[]) =>
    patterns.forEach((written, at) => {
      if (written === '') problems.push({ path: [...path, at], written, message: message('pattern.empty') })
      else look(written, [...path, at])
    })
  lookAtAll(exclude, ['exclude'])
  for (const [domain, rules] of Object.entries(domains)) lookAtAll(rules.exclude, ['domains', domain, 'exclude'])
  throttle?.rules.forEach(({ match }, at) => look(match, ['throttle', 'rules', at, 'match']))
  login?.areas.forEach((area, row) => {
    if (area.kind !== 'form') return
    area.avoid.forEach((written, at) => look(written, ['login', 'areas', row, 'avoid', at], true))
  })
  return problems
}
