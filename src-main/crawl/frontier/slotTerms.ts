/** What a harvest's definition says of its turns, with the settings where it says nothing. */
import type { HarvestDefinition } from '../../contract/contract.ts'
import { limitsBy } from '../../contract/shapes/throttle.ts'
import type { Places } from './frontier.ts'
import type { CrawlSettings } from '../model/limits.ts'
import { robotsTokenOf } from './robotsKnown.ts'
import type { JobSlot } from './servers.ts'

export type Terms = Omit<JobSlot, 'job' | 'priority' | 'askedUntilMs' | 'mayStart' | 'forgetKnown' | 'hostStatus'>

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

/** What a document's place is counted by: its bins, and how often each can be asked at all (the rules, or the pause where that
 *  is less). */
export function placesOf({
  binsOf,
  limitsOf,
  delayMs,
  connectionsPerHost,
}: Pick<Terms, 'binsOf' | 'limitsOf' | 'delayMs' | 'connectionsPerHost'>): Pick<Places, 'binsOf' | 'rateOf'> {
  const pausedPerMs = delayMs > 0 ? connectionsPerHost / delayMs : Infinity
  return { binsOf, rateOf: (bin) => ({ fetchesPerMs: Math.min(limitsOf(bin).fetchesPerMs, pausedPerMs) }) }
}
