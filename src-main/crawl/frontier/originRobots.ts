/** The state of an origin's robots.txt, as its turns need it. */
import { crawlDelayMs, parseRobots, type Robots } from '../../formats/links/robots.ts'
import type { HostRow } from '../model/document.ts'
import { crawlDelayMsMax } from '../model/limits.ts'

/** `unknown`: robots.txt was not fetched yet. `unreachable`: it could not be read, for the given reason. */
export type OriginRobots =
  | { kind: 'unknown' }
  | { kind: 'allowed' }
  | { kind: 'rules'; robots: Robots; crawlDelayMs: number }
  | { kind: 'unreachable'; reason: string }

/** Parses the stored state. A Crawl-delay above `crawlDelayMsMax` is reduced to it. */
export function originRobots(state: HostRow['robotsState'], text: string | null, token: string): OriginRobots {
  if (state === 'UNKNOWN') return { kind: 'unknown' }
  if (state === 'ALLOWED') return { kind: 'allowed' }
  if (state === 'RULES') {
    const robots = parseRobots(text ?? '')
    return { kind: 'rules', robots, crawlDelayMs: Math.min(crawlDelayMs(robots, token) ?? 0, crawlDelayMsMax) }
  }
  return { kind: 'unreachable', reason: text ?? 'robotsUnreachable' }
}

/** Returns the name by which robots.txt addresses the crawler: the product token of the user agent (RFC 9309 section 2.2.1). */
export function robotsTokenOf(userAgent: string): string {
  return /compatible;\s*([A-Za-z_-]+)/.exec(userAgent)?.[1] ?? /[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'Loupe'
}
