/** Evaluates the answer to a request for robots.txt (RFC 9309 section 2.3.1): 2xx gives the rules, 4xx allows
 *  everything, a server error or no answer forbids everything. */
import { locationOf } from '../../../formats/http/http.ts'
import { robotsText } from './outlinks.ts'
import { fetchDocument } from './fetch.ts'
import type { Answered, Failed } from './outcome.ts'
import type { Requesting } from './fetching.ts'
import type { HostRow } from '../../model/document.ts'
import { robotsRedirectsMax } from '../../model/limits.ts'

/** Whether and how the crawler may access a host. */
export interface RobotsVerdict {
  state: HostRow['robotsState']
  /** The rules for RULES, the reason for UNREACHABLE, otherwise null. */
  text: string | null
}

interface RobotsAsking {
  fetching: Requesting
  /** Pause before each further request. */
  delayMs: number
  /** Called after each further request. */
  onFetched: (url: string, outcome: Answered | Failed) => void
}

/** Evaluates the answer `first` to the request for `url`. Redirects are followed only to read the rules; their targets are
 *  recorded when their own host is crawled. Returns 'stopped' if the job is stopped meanwhile. */
export async function robotsVerdict(
  url: string,
  first: Answered | Failed,
  { fetching, delayMs, onFetched }: RobotsAsking,
): Promise<RobotsVerdict | 'stopped'> {
  let verdict = await verdictOf(first)
  let from = url
  let answered = first
  for (let hops = 0; verdict === undefined && hops < robotsRedirectsMax; hops += 1) {
    const next = answered.kind === 'answered' ? redirectOf(answered, from) : undefined
    if (next === undefined) break
    from = next
    if (!(await rested(fetching, delayMs))) return 'stopped'
    answered = await fetchDocument(next, undefined, fetching)
    onFetched(next, answered)
    verdict = await verdictOf(answered)
    if (answered.kind === 'answered') await answered.response.discard()
  }
  // A stop during the request says nothing about the host.
  if (answered.kind === 'failed' && answered.reason === 'jobStopped') return 'stopped'
  // Too many redirects, or one to nowhere, count as "unavailable": everything is allowed (section 2.3.1.2).
  return verdict ?? { state: 'ALLOWED', text: null }
}

/** Pauses between two requests; resolves to false if the job is stopped meanwhile. */
async function rested({ world, signal }: Requesting, delayMs: number): Promise<boolean> {
  try {
    await world.clock.sleep(delayMs, signal)
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  }
}

/** The verdict on one answer; undefined for a redirect, which has to be followed first. */
async function verdictOf(outcome: Answered | Failed): Promise<RobotsVerdict | undefined> {
  if (outcome.kind === 'failed') return { state: 'UNREACHABLE', text: outcome.reason }
  const { status } = outcome.head
  // An interrupted answer may lack the rules that forbid, so it counts as a network error (RFC 9309 section 2.3.1.4). An answer
  // cut at the size limit does not, nor one with broken chunks, which arrived as sent.
  if (outcome.truncated === 'disconnect' || outcome.truncated === 'time')
    return { state: 'UNREACHABLE', text: 'robotsUnreachable' }
  if (status >= 200 && status < 300) return { state: 'RULES', text: await robotsText(outcome) }
  if (status >= 500) return { state: 'UNREACHABLE', text: 'robotsUnreachable' }
  return status >= 300 && status < 400 ? undefined : { state: 'ALLOWED', text: null }
}

function redirectOf({ head }: Answered, from: string): string | undefined {
  return locationOf(head, from)?.href
}
