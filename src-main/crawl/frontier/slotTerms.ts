/** Terms on which a harvest takes part in the queue: from its definition, or from the settings where the definition has none. */
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { limitsBy } from '../../contract/shapes/throttle.ts'
import type { Places } from './places.ts'
import type { CrawlSettings } from '../model/limits.ts'
import { robotsTokenOf } from './originRobots.ts'
import type { JobSlot } from './servers.ts'

/** The parts of a job slot that a definition determines; the run adds the others. */
export type Terms = Omit<
  JobSlot,
  'job' | 'priority' | 'askedUntilMs' | 'connection' | 'placeNext' | 'mayStart' | 'forgetKnown' | 'hostStatus'
>

/** Returns the terms of a definition. */
export function termsOf(
  definition: HarvestDefinition,
  settings: CrawlSettings,
  { binOf }: { binOf: (url: string) => string },
): Terms {
  const { throttle } = definition
  return {
    workers: definition.workers ?? settings.workers,
    connectionsPerHost: definition.connectionsPerHost ?? settings.connectionsPerHost,
    delayMs: definition.delayMs ?? settings.delayMs,
    delayFactor: throttle?.delayFactor ?? settings.delayFactor,
    delayMsMax: throttle?.delayMsMax ?? settings.delayMsMax,
    robots: definition.robots,
    robotsToken: robotsTokenOf(definition.userAgent ?? settings.userAgent),
    limitsOf: limitsBy(throttle?.rules ?? []),
    binsOf: (url) => [binOf(url)],
  }
}

/** Returns what determines a document's position: its bins, and the highest rate at which each can be fetched (by the
 *  throttle rules, or by the delay if that allows less). */
export function placesOf({
  binsOf,
  limitsOf,
  delayMs,
  connectionsPerHost,
}: Pick<Terms, 'binsOf' | 'limitsOf' | 'delayMs' | 'connectionsPerHost'>): Pick<Places, 'binsOf' | 'rateOf'> {
  const pausedPerMs = delayMs > 0 ? connectionsPerHost / delayMs : Infinity
  return { binsOf, rateOf: (bin) => ({ fetchesPerMs: Math.min(limitsOf(bin).fetchesPerMs, pausedPerMs) }) }
}
