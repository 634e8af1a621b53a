/** What is known of the robots.txt of an origin, as its turns need it. */
import { crawlDelayMs, parseRobots, type Robots } from '../../formats/links/robots.ts'
import type { HostRow } from './frontier.sql.ts'
import { crawlDelayMsMax } from '../model/limits.ts'

export type RobotsKnown =
  | { kind: 'unknown' }
  | { kind: 'allowed' }
  | { kind: 'rules'; robots: Robots; crawlDelayMs: number }
  | { kind: 'unreachable'; reason: string }

export function robotsKnown(state: HostRow['robotsState'], text: string | null, token: string): RobotsKnown {
  if (state === 'UNKNOWN') return { kind: 'unknown' }
  if (state === 'ALLOWED') return { kind: 'allowed' }
  if (state === 'RULES') {
    const robots = parseRobots(text ?? '')
    return { kind: 'rules', robots, crawlDelayMs: Math.min(crawlDelayMs(robots, token) ?? 0, crawlDelayMsMax) }
  }
  return { kind: 'unreachable', reason: text ?? 'robotsUnreachable' }
}
