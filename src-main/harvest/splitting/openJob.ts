/** A job to which configurations are being added, and the checks whether another one may be added (NetarchiveSuite 7,
 *  `DefaultJobGenerator.canAccept`, `Job.addConfiguration`). */
import type { Estimate } from '../estimates/estimate.ts'
import { leastLimit, type Limits, type SplitConfiguration } from '../model/configurations.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'

/** Limits of a harvest, per domain. */
export interface HarvestLimits extends Limits {
  isSnapshot: boolean
}

/** A configuration in a job. */
export interface SplitMember {
  id: number
  domain: string
  name: string
  /** Its own limits within those of the harvest: by one kind of limit, configurations in a job may differ. */
  limits: Limits
  estimate: Estimate
}

/** A configuration with its estimate, to be added to a job. */
export interface Candidate {
  configuration: SplitConfiguration
  estimate: Estimate
}

/** Why a configuration is not in a job. */
export type Refusal =
  | { reason: 'attributes' | 'domain' | 'template' }
  | { reason: 'count'; max: number }
  /** Another limit of bytes or objects than the job. */
  | { reason: 'bytes' | 'objects'; ours: number | null; theirs: number | null }
  | { reason: 'total'; total: number; expected: number; max: number }
  | { reason: 'difference'; expected: number; least: number; most: number; ratioMax: number }

/** A job as it is filled. */
export interface OpenJob {
  template: string
  attributes: string
  /** Limits per domain that apply to the whole job. */
  limits: Limits
  /** Whether the ruling limit is that of a configuration, which all then must have. */
  isLimitOfConfiguration: boolean
  members: SplitMember[]
  domains: Set<string>
  objectsExpected: number
  leastExpected: number
  mostExpected: number
}

/** Begins a job with its first configuration. */
export function beginJob(
  { configuration, estimate }: Candidate,
  harvest: HarvestLimits,
  settings: GenerationSettings,
): OpenJob {
  const limits = limitsOf(configuration, harvest)
  const [ours, theirs] = rulingLimits(limits, harvest, settings)
  const job: OpenJob = {
    ...{ template: configuration.template, attributes: configuration.attributes, limits },
    isLimitOfConfiguration: ours !== theirs,
    ...{ members: [], domains: new Set(), objectsExpected: 0, leastExpected: Infinity, mostExpected: 0 },
  }
  addTo(job, { configuration, estimate }, harvest)
  return job
}

/** Adds a configuration that was accepted. */
export function addTo(job: OpenJob, { configuration, estimate }: Candidate, harvest: Limits): void {
  const { id, domain, name } = configuration
  job.members.push({ id, domain, name, limits: limitsOf(configuration, harvest), estimate })
  job.domains.add(domain)
  job.objectsExpected += estimate.expected
  job.leastExpected = Math.min(job.leastExpected, estimate.expected)
  job.mostExpected = Math.max(job.mostExpected, estimate.expected)
}

/** Returns why a configuration may not be added to the job; undefined if it may. */
export function refusalOf(
  job: OpenJob,
  candidate: Candidate,
  harvest: HarvestLimits,
  settings: GenerationSettings,
): Refusal | undefined {
  const { configuration, estimate } = candidate
  return (
    kindRefusal(job, configuration) ??
    countRefusal(job, harvest, settings) ??
    limitRefusal(job, configuration, settings) ??
    sizeRefusal(job, estimate.expected, settings)
  )
}

function kindRefusal(job: OpenJob, { attributes, domain, template }: SplitConfiguration): Refusal | undefined {
  if (attributes !== job.attributes) return { reason: 'attributes' }
  if (job.domains.has(domain)) return { reason: 'domain' }
  return template === job.template ? undefined : { reason: 'template' }
}

function countRefusal(
  { members }: OpenJob,
  { isSnapshot }: HarvestLimits,
  { snapshotConfigurationsMax: max }: GenerationSettings,
): Refusal | undefined {
  return isSnapshot && max > 0 && members.length >= max ? { reason: 'count', max } : undefined
}

const unlimited: Limits = { objectsMax: null, bytesMax: null }

function limitRefusal(job: OpenJob, configuration: Limits, settings: GenerationSettings): Refusal | undefined {
  const [ours, theirs] = rulingLimits(job.limits, limitsOf(configuration, unlimited), settings)
  const isBelow = (theirs ?? Infinity) < (ours ?? Infinity)
  if (!isBelow && !(job.isLimitOfConfiguration && theirs !== ours)) return undefined
  return { reason: settings.splitLimit === 'objects' ? 'objects' : 'bytes', ours, theirs }
}

function sizeRefusal(job: OpenJob, expected: number, settings: GenerationSettings): Refusal | undefined {
  const { objectsTotalMax: max, absoluteSizeDifferenceMin, relativeSizeDifferenceMax: ratioMax } = settings
  const total = job.objectsExpected
  if (total > 0 && total + expected > max) return { reason: 'total', total, expected, max }
  const least = Math.min(job.leastExpected, expected)
  const most = Math.max(job.mostExpected, expected)
  const isAlike = most - least <= absoluteSizeDifferenceMin || most / Math.max(least, 1) <= ratioMax
  const isInside = job.leastExpected <= expected && expected <= job.mostExpected
  return isInside || isAlike ? undefined : { reason: 'difference', expected, least, most, ratioMax }
}

/** The limits by which configurations are told apart: of bytes, or of objects. */
function rulingLimits(a: Limits, b: Limits, { splitLimit }: GenerationSettings): [number | null, number | null] {
  return splitLimit === 'objects' ? [a.objectsMax, b.objectsMax] : [a.bytesMax, b.bytesMax]
}

/** The limits of a job with this configuration. A limit of 0 objects permits no bytes, and the reverse. */
export function limitsOf(configuration: Limits, harvest: Limits): Limits {
  const objectsMax = leastLimit(configuration.objectsMax, harvest.objectsMax)
  const bytesMax = leastLimit(configuration.bytesMax, harvest.bytesMax)
  return objectsMax === 0 || bytesMax === 0 ? { objectsMax: 0, bytesMax: 0 } : { objectsMax, bytesMax }
}
