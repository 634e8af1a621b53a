/** Splits the configurations of a harvest into jobs, subset by subset (NetarchiveSuite 7, `DefaultJobGenerator` and
 *  `FixedDomainConfigurationCountJobGenerator`). Pure; memory holds one subset and the jobs that are open. */
import { estimate } from '../estimates/estimate.ts'
import { compareLimits, leastLimit, type Limits, type SplitConfiguration } from '../model/configurations.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'
import {
  addTo,
  beginJob,
  limitsOf,
  refusalOf,
  type Candidate,
  type HarvestLimits,
  type OpenJob,
  type Refusal,
  type SplitMember,
} from './openJob.ts'

/** A finished job. */
export interface SplitJob {
  template: string
  limits: Limits
  objectsExpected: number
  members: readonly SplitMember[]
  /** The configuration that was not added any more, and why; null: none followed. */
  closedBecause: { domain: string; name: string; refusal: Refusal } | null
}

/** A configuration that is in no job. */
export interface Skipped {
  id: number
  domain: string
  name: string
  /** `noSeeds`: no seed list has a line that is a URL. `zeroLimit`: it may fetch nothing. */
  reason: 'noSeeds' | 'zeroLimit'
}

/** What a subset gave. */
export interface Split {
  jobs: SplitJob[]
  skipped: Skipped[]
}

/** Splits the configurations of one harvest. */
export interface Splitter {
  /** Takes at most `configurationSubsetSize` configurations, in any order. */
  add(subset: readonly SplitConfiguration[]): Split
  /** Returns the jobs that are still open. */
  end(): SplitJob[]
}

/** Opens the splitter of a harvest. */
export function splitterOf(harvest: HarvestLimits, settings: GenerationSettings): Splitter {
  const generator = settings.jobSizes === 'comparable' ? jobsOfComparableSize : jobsOfFixedCount
  const jobs = generator(harvest, settings)
  return {
    add(subset) {
      const skipped = subset.flatMap((configuration) => skippedOf(configuration, harvest, settings))
      const left = new Set(skipped.map(({ id }) => id))
      const candidates = subset
        .filter(({ id }) => !left.has(id))
        .map((configuration) => ({ configuration, estimate: estimate(configuration, harvest, settings) }))
        .toSorted((a, b) => compareCandidates(a, b, harvest))
      return { jobs: jobs.add(candidates), skipped }
    },
    end: jobs.end,
  }
}

interface Generator {
  add(candidates: readonly Candidate[]): SplitJob[]
  end(): SplitJob[]
}

function skippedOf(configuration: SplitConfiguration, harvest: Limits, settings: GenerationSettings): Skipped[] {
  const { id, domain, name, seedsCount } = configuration
  if (seedsCount === 0) return [{ id, domain, name, reason: 'noSeeds' }]
  const isZero = limitsOf(configuration, harvest).bytesMax === 0
  return settings.zeroLimits === 'leaveOut' && isZero ? [{ id, domain, name, reason: 'zeroLimit' }] : []
}

/** Descending: template, attributes, limit of bytes, expected objects. Equal ones by their number, so that the split does not depend on
 *  the order in which they were read. */
function compareCandidates(a: Candidate, b: Candidate, harvest: Limits): number {
  const bytesOf = ({ configuration: { bytesMax } }: Candidate) => leastLimit(bytesMax, harvest.bytesMax)
  return (
    compareTexts(b.configuration.template, a.configuration.template) ||
    compareTexts(b.configuration.attributes, a.configuration.attributes) ||
    compareLimits(bytesOf(b), bytesOf(a)) ||
    b.estimate.expected - a.estimate.expected ||
    a.configuration.id - b.configuration.id
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Jobs whose configurations are expected to take about the same time. A job ends with its subset. */
function jobsOfComparableSize(harvest: HarvestLimits, settings: GenerationSettings): Generator {
  return {
    add(candidates) {
      const closed: SplitJob[] = []
      let job: OpenJob | undefined
      for (const candidate of candidates) {
        const refusal = job && refusalOf(job, candidate, harvest, settings)
        if (job && !refusal) addTo(job, candidate, harvest)
        else {
          if (job && refusal) closed.push(finished(job, candidate, refusal))
          job = beginJob(candidate, harvest, settings)
        }
      }
      return job ? [...closed, finished(job)] : closed
    },
    end: () => [],
  }
}

/** Jobs with a fixed number of configurations that have the same template and limits. They stay open over all subsets. */
function jobsOfFixedCount(harvest: HarvestLimits, settings: GenerationSettings): Generator {
  const { snapshotConfigurationsMax, focusedConfigurationsMax } = settings
  const max = harvest.isSnapshot ? snapshotConfigurationsMax : focusedConfigurationsMax
  const open = new Map<string, OpenJob>()

  /** Returns the job that the candidate closes. */
  function place(candidate: Candidate): SplitJob | undefined {
    const key = groupOf(candidate.configuration, harvest)
    const job = open.get(key)
    const refusal = job && fixedCountRefusal(job, candidate, max)
    if (job && !refusal) addTo(job, candidate, harvest)
    else open.set(key, beginJob(candidate, harvest, settings))
    return job && refusal && finished(job, candidate, refusal)
  }

  return {
    add: (candidates) => candidates.map(place).filter((job) => job !== undefined),
    end() {
      const jobs = [...open.values()].map((job) => finished(job))
      open.clear()
      return jobs
    },
  }
}

function fixedCountRefusal(job: OpenJob, { configuration }: Candidate, max: number): Refusal | undefined {
  if (job.domains.has(configuration.domain)) return { reason: 'domain' }
  return max > 0 && job.members.length >= max ? { reason: 'count', max } : undefined
}

function groupOf(configuration: SplitConfiguration, harvest: Limits): string {
  const { objectsMax, bytesMax } = limitsOf(configuration, harvest)
  return JSON.stringify([configuration.template, configuration.attributes, objectsMax, bytesMax])
}

function finished(
  { template, limits, objectsExpected, members }: OpenJob,
  next?: Candidate,
  refusal?: Refusal,
): SplitJob {
  const because = next && refusal
  return {
    ...{ template, limits, objectsExpected, members },
    closedBecause: because ? { domain: next.configuration.domain, name: next.configuration.name, refusal } : null,
  }
}
