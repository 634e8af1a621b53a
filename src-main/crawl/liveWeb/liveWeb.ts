/** Single requests to the live web outside a run, by the rules of a job: its exclude patterns, robots.txt, its addresses of hosts, and no private
 *  address except of hosts that its definition names. Nothing is recorded, and no login is used. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { isReason, type Reason } from '../../contract/states/outcomes.ts'
import { payloadOf } from '../../formats/http/http.ts'
import { mayFetch } from '../../formats/links/robots.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { connectionsOf } from '../capture/fetch/connections.ts'
import { fetchDocument } from '../capture/fetch/fetch.ts'
import type { Requesting } from '../capture/fetch/fetching.ts'
import { robotsVerdict } from '../capture/fetch/robotsVerdict.ts'
import { watchOf } from '../capture/fetch/watch.ts'
import { hostsNamedIn } from '../capture/login/namedHosts.ts'
import { definitionIn } from '../definition/storedDefinition.ts'
import { originRobots, robotsTokenOf, type OriginRobots } from '../frontier/originRobots.ts'
import type { CrawlSettings } from '../model/limits.ts'
import { excludingPattern, scopeOf } from '../model/scope.ts'
import { memorySpool } from './memorySpool.ts'

/** Bytes of one answer, which is in memory. What is longer is cut. */
const answerBytesMax = 16 * 1024 * 1024
/** Origins whose rules and turns are remembered. */
const originsMax = 1_000

/** A request without side effects. */
export interface LiveRequest {
  url: string
  method: string
  referrer?: string | undefined
}

/** An answer of a server, without codings, or why there is none: a rule of the harvest, or a fault of the network. */
export type LiveAnswer =
  | { is: 'answered'; status: number; fields: (readonly [name: string, value: string])[]; body: Uint8Array }
  | { is: 'refused'; reason: Reason }

/** The live web as one job may see it. */
export interface LiveWeb {
  /** Pause that the harvest makes between two requests to a host. */
  pauseMs: number
  answer(request: LiveRequest): Promise<LiveAnswer>
  /** Ends all requests and connections. */
  close(): void
}

interface Parts {
  store: Store
  world: World
  settings: CrawlSettings
}

/** Opens the live web for a job, which exists. */
export function openLiveWeb({ store, world, settings }: Parts, job: number): LiveWeb {
  const definition = definitionIn(store, job)
  const scope = scopeOf(definition)
  const over = new AbortController()
  const requesting: Requesting = {
    ...{ world, resolve: definition.resolve, ownHosts: hostsNamedIn(definition), newSpool: memorySpool },
    settings: { ...settings, responseBytesMax: Math.min(settings.responseBytesMax, answerBytesMax) },
    ...{ connections: connectionsOf(world), watch: watchOf(world, over.signal), signal: over.signal },
    userAgent: definition.userAgent ?? settings.userAgent,
  }
  const token = robotsTokenOf(requesting.userAgent)
  const pauseMs = definition.delayMs ?? settings.delayMs
  const rules = new Map<string, Promise<OriginRobots>>()
  const turnOf = turnsPerOrigin(definition.connectionsPerHost ?? settings.connectionsPerHost)

  function rulesOf(origin: string): Promise<OriginRobots> {
    const known = rules.get(origin)
    if (known) return known
    if (rules.size >= originsMax) rules.clear()
    const asked = askRules(origin, { requesting, token, delayMs: pauseMs })
    rules.set(origin, asked)
    return asked
  }

  async function refusalOf(url: string): Promise<Reason | undefined> {
    if (excludingPattern(scope, url) !== undefined) return 'excludedByPattern'
    if (definition.robots === 'ignore') return undefined
    const robots = await rulesOf(new URL(url).origin)
    if (robots.kind === 'unreachable') return isReason(robots.reason) ? robots.reason : 'robotsUnreachable'
    return robots.kind === 'rules' && !mayFetch(robots.robots, token, url).allowed ? 'robots' : undefined
  }

  return {
    pauseMs,
    async answer({ url, method, referrer }) {
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return { is: 'refused', reason: 'badAddress' }
      // Anything else could change something on the server.
      if (method !== 'GET') return { is: 'refused', reason: 'rejected' }
      const refusal = await refusalOf(url)
      if (refusal !== undefined) return { is: 'refused', reason: refusal }
      const outcome = await turnOf(new URL(url).origin)(() => fetchDocument(url, referrer, requesting))
      if (outcome.kind === 'failed') return { is: 'refused', reason: outcome.reason }
      const { entity } = payloadOf(await outcome.response.head(answerBytesMax), answerBytesMax)
      await outcome.response.discard()
      return { is: 'answered', status: outcome.head.status, fields: decodedFields(outcome.head.fields), body: entity }
    },
    close() {
      over.abort()
      requesting.connections.closeAll()
    },
  }
}

/** Asks a host for its robots.txt. */
async function askRules(
  origin: string,
  { requesting, token, delayMs }: { requesting: Requesting; token: string; delayMs: number },
): Promise<OriginRobots> {
  const url = `${origin}/robots.txt`
  const first = await fetchDocument(url, undefined, requesting)
  const verdict = await robotsVerdict(url, first, { fetching: requesting, delayMs, onFetched: () => undefined })
  if (first.kind === 'answered') await first.response.discard()
  if (verdict === 'stopped') return { kind: 'unreachable', reason: 'jobStopped' }
  return originRobots(verdict.state, verdict.text, token)
}

/** Returns the function that gives the next request to an origin its turn: no more than `atOnce` of them are under way. */
function turnsPerOrigin(atOnce: number): (origin: string) => ReturnType<typeof oneAtATime> {
  const turns = new Map<string, ReturnType<typeof oneAtATime>[]>()
  return (origin) => {
    const all = turns.get(origin) ?? Array.from({ length: atOnce }, oneAtATime)
    const [next = oneAtATime(), ...others] = all
    if (turns.size >= originsMax) turns.clear()
    turns.set(origin, [...others, next])
    return next
  }
}

/** Leaves out the fields that describe the codings, which are undone. */
function decodedFields(fields: readonly (readonly [name: string, value: string])[]): (readonly [string, string])[] {
  return fields.filter(([name]) => !/^(?:content-encoding|transfer-encoding|content-length|connection)$/i.test(name))
}
