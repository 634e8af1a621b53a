/** How many objects a job is expected to fetch of a configuration, from its earlier results and its limits (NetarchiveSuite 7,
 *  `JobGenerator`, `DomainConfiguration.getExpectedNumberOfObjects`). Pure. */
import { leastLimit, type Limits, type PastResult, type SplitConfiguration } from '../model/configurations.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'

/** An expectation, and how it came about. All numbers are objects unless they say otherwise. */
export interface Estimate {
  expected: number
  /** The earlier result that counts; null: the configuration was never harvested. */
  best: PastResult | null
  bytesPerObject: number
  /** Most that the limits permit, and whose limits these are. */
  maximum: number
  maximumOf: 'harvest' | 'configuration' | 'usual'
  /** What the best result fetched, or what the configuration permits. */
  minimum: number | null
  /** Before it is capped. */
  uncapped: number
  /** The cap, if the limits of the configuration are below the maximum. */
  configurationMaximum: number | null
}

/** Objects of a result that count as a sample large enough for its bytes per object. */
const sampleObjectsLeast = 50
/** Without a complete result, a domain is expected to reach half of the way to its limits. */
const unknownGrowth = 2

/** Estimates a configuration under the limits of a harvest. */
export function estimate(configuration: SplitConfiguration, harvest: Limits, settings: GenerationSettings): Estimate {
  const best = bestOf(configuration.history)
  const bytesPerObject = bytesPerObjectOf(best, settings)
  const objectsWithin = (limits: Limits) => objectsWithinLimits(limits, bytesPerObject)
  const maximumOf = ruling(harvest, configuration)
  const usual = settings.domainObjectsUsual
  const ruled = { harvest, configuration, usual: null }[maximumOf]
  const maximum = (ruled && objectsWithin(ruled)) ?? usual
  const uncapped = uncappedOf(best, maximum, configuration, settings)
  const own = objectsWithin(configuration)
  const configurationMaximum = own !== null && own < maximum ? own : null
  return {
    expected: Math.max(0, Math.min(uncapped, configurationMaximum ?? maximum)),
    ...{ best, bytesPerObject, maximum, maximumOf },
    minimum: best === null ? configuration.objectsMax : best.objects,
    ...{ uncapped, configurationMaximum },
  }
}

/** The newest complete result, or the one with most objects of those that are newer; of equal ones the older. */
function bestOf(history: readonly PastResult[]): PastResult | null {
  let best: PastResult | null = null
  for (const result of history) {
    if (best === null || result.objects >= best.objects) best = result
    if (result.stopReason === 'DOWNLOAD_COMPLETE') break
  }
  return best
}

function bytesPerObjectOf(best: PastResult | null, { expectedBytesPerObject }: GenerationSettings): number {
  if (best === null || best.objects === 0) return expectedBytesPerObject
  const measured = Math.max(1, Math.floor(best.bytes / best.objects))
  const isSample = best.objects >= sampleObjectsLeast
  return isSample ? measured : Math.max(measured, expectedBytesPerObject)
}

function ruling(harvest: Limits, configuration: Limits): Estimate['maximumOf'] {
  if (isLimited(harvest)) return 'harvest'
  return isLimited(configuration) ? 'configuration' : 'usual'
}

function isLimited({ objectsMax, bytesMax }: Limits): boolean {
  return objectsMax !== null || bytesMax !== null
}

/** Objects that the limits permit; null: unlimited. */
function objectsWithinLimits({ objectsMax, bytesMax }: Limits, bytesPerObject: number): number | null {
  return leastLimit(objectsMax, bytesMax === null ? null : Math.floor(bytesMax / bytesPerObject))
}

function uncappedOf(
  best: PastResult | null,
  maximum: number,
  { objectsMax }: Limits,
  { errorFactorPreviousResult, domainObjectsUsual }: GenerationSettings,
): number {
  if (best === null) return leastLimit(domainObjectsUsual, objectsMax) ?? domainObjectsUsual
  const isComplete = best.stopReason === 'DOWNLOAD_COMPLETE'
  const growth = Math.trunc((maximum - best.objects) / (isComplete ? errorFactorPreviousResult : unknownGrowth))
  return best.objects + growth
}
