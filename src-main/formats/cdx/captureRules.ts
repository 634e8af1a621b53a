/** Rules by job and SURT prefix that show or hide captures. They are plain values, so that threads can have them. */
import { surt } from './surt.ts'
import { isBelowPrefix } from './surtPrefix.ts'

/** Where a rule applies. */
export interface RulePlace {
  /** Captures of this job; null: of every job. */
  job: number | null
  /** URLs below this SURT prefix; empty: every URL. */
  surtPrefix: string
  /** Of the rules of one place that fit a capture, the one with the longest prefix decides; of equally long ones, that of its own job. */
  place: string
}

/** A rule that shows or hides captures. A capture is shown where every rule that decides shows it. */
export interface CaptureRule extends RulePlace {
  isShown: boolean
}

/** What rules decide about. */
export interface RuledCapture {
  /** Null: a file without a job. */
  job: number | null
  url: string
}

/** Rules in the order in which they decide. */
export interface OrderedRules<Rule extends RulePlace> {
  /** The rules for captures of a job, longest prefix first. */
  of(job: number | null): readonly Rule[]
  /** The rules that decide about a capture: at most one of each place. */
  deciding(capture: RuledCapture): Rule[]
}

/** Puts rules in order. */
export function orderedRules<Rule extends RulePlace>(all: readonly Rule[]): OrderedRules<Rule> {
  const ordered = all.toSorted(
    (one, other) =>
      other.surtPrefix.length - one.surtPrefix.length || Number(one.job === null) - Number(other.job === null),
  )
  const general = ordered.filter(({ job }) => job === null)
  const jobs = new Set(all.map(({ job }) => job))
  const ofJobs = new Map(
    [...jobs].map((job) => [job, deciders(ordered.filter((rule) => rule.job === null || rule.job === job))]),
  )
  const of = (job: number | null) => ofJobs.get(job) ?? general
  return {
    of,
    deciding({ job, url }) {
      const key = surt(url)
      const found = new Map<string, Rule>()
      for (const rule of of(job))
        if (!found.has(rule.place) && isBelowPrefix(key, rule.surtPrefix)) found.set(rule.place, rule)
      return [...found.values()]
    },
  }
}

/** Leaves out rules of every job that never decide, because the job has a rule for the same place and prefix. */
function deciders<Rule extends RulePlace>(ordered: readonly Rule[]): Rule[] {
  const seen = new Set<string>()
  return ordered.filter(({ place, surtPrefix }) => {
    const before = seen.size
    return seen.add(JSON.stringify([place, surtPrefix])).size > before
  })
}

/** Which captures rules show. */
export interface ShownCaptures {
  capture(capture: RuledCapture): boolean
  /** Whether no rule hides a capture of the job. */
  wholeJob(job: number | null): boolean
}

/** Jobs whose result is kept. */
const jobsKeptMax = 10_000

/** Applies rules. */
export function shownCaptures(all: readonly CaptureRule[]): ShownCaptures {
  const rules = orderedRules(all)
  const isShown = (rule: CaptureRule) => rule.isShown
  const wholeJobs = new Map<number | null, boolean>()
  const wholeJob = (job: number | null): boolean => {
    const known = wholeJobs.get(job)
    if (known !== undefined) return known
    const found = rules.of(job).every(isShown)
    if (wholeJobs.size < jobsKeptMax) wholeJobs.set(job, found)
    return found
  }
  return { wholeJob, capture: (capture) => wholeJob(capture.job) || rules.deciding(capture).every(isShown) }
}
