/** Security rules applied to captures. Pure. A capture has, on each level of each group, the tokens of the rule with the longest SURT prefix
 *  that fits its URL; of equally long ones, that of its own job. Every group must agree (`tokens.ts`). */
import type { GroupDecision, SecurityRule } from '../../contract/services/security.ts'
import { tokenLevels } from '../../contract/shapes/choices.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { isBelowPrefix } from '../../formats/cdx/surtPrefix.ts'
import { agrees } from './tokens.ts'

/** What rules decide about. */
export interface SecuredCapture {
  /** Null: a file without a job. */
  job: number | null
  url: string
}

/** The rules of an archive. */
export interface SecurityRules {
  readonly all: readonly SecurityRule[]
  /** The rules for captures of a job, in the order in which they decide. */
  of(job: number | null): readonly SecurityRule[]
}

/** What one user may see. */
export interface Sight {
  /** No rule hides anything from the user, so that nothing has to be looked at. */
  readonly everything: boolean
  /** Whether a capture is shown. */
  capture(of: SecuredCapture): boolean
  /** Whether no rule hides a capture of the job. Null: of files without a job. */
  wholeJob(job: number | null): boolean
}

/** Sight of whoever may see everything. */
export const sightOfEverything: Sight = { everything: true, capture: () => true, wholeJob: () => true }

/** Puts rules in order. */
export function securityRules(all: readonly SecurityRule[]): SecurityRules {
  const ordered = all.toSorted(
    (one, other) =>
      other.surtPrefix.length - one.surtPrefix.length || Number(one.job === null) - Number(other.job === null),
  )
  const general = ordered.filter(({ job }) => job === null)
  const jobs = new Set(all.map(({ job }) => job))
  const ofJobs = new Map([...jobs].map((job) => [job, ordered.filter((rule) => rule.job === null || rule.job === job)]))
  return { all, of: (job) => ofJobs.get(job) ?? general }
}

/** What a user with these tokens, each as GROUP:TOKEN, may see. */
export function sightOf(rules: SecurityRules, held: ReadonlySet<string>): Sight {
  const agreed = new Set(rules.all.filter((rule) => agrees(held, rule.group, rule)))
  const isAgreed = (rule: SecurityRule) => agreed.has(rule)
  const wholeJobs = new Map<number | null, boolean>()
  const wholeJob = (job: number | null): boolean => {
    const known = wholeJobs.get(job)
    if (known !== undefined) return known
    const found = rules.of(job).every(isAgreed)
    // One entry for each job with rules, and one for each that was looked at.
    if (wholeJobs.size < jobsKeptMax) wholeJobs.set(job, found)
    return found
  }
  return {
    everything: agreed.size === rules.all.length,
    wholeJob,
    capture: ({ job, url }) => wholeJob(job) || deciding(rules, { job, url }).every(isAgreed),
  }
}

/** Jobs whose result is kept for a user. */
const jobsKeptMax = 10_000

/** The rules that give a capture its tokens: at most one for each group and level. */
export function deciding(rules: SecurityRules, { job, url }: SecuredCapture): SecurityRule[] {
  const key = surt(url)
  const found = new Map<string, SecurityRule>()
  for (const rule of rules.of(job)) {
    const place = `${rule.level} ${rule.group}`
    if (!found.has(place) && isBelowPrefix(key, rule.surtPrefix)) found.set(place, rule)
  }
  return [...found.values()]
}

/** The decisions of all groups that secure a capture, by name. */
export function groupDecisions(
  rules: SecurityRules,
  held: ReadonlySet<string>,
  capture: SecuredCapture,
): GroupDecision[] {
  const byGroup = Map.groupBy(deciding(rules, capture), ({ group }) => group)
  return [...byGroup]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, chosen]) => {
      const levels = tokenLevels.flatMap((level) =>
        chosen
          .filter((rule) => rule.level === level)
          .map((rule) => ({ level, rule, isAgreed: agrees(held, group, rule) })),
      )
      return { group, levels, isAgreed: levels.every(({ isAgreed }) => isAgreed) }
    })
}
