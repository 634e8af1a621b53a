/** One job while it is ACTIVE: hands turns to workers until nothing is left, a limit is reached or it is told to stop. It
 *  changes no job state: that is the supervisor's. */
import type { HarvestDefinition } from '../contract/contract.ts'
import { reasons } from '../contract/outcomes.ts'
import { StorageFault } from '../storage/storage.ts'
import { DiskFault } from '../world/world.ts'
import type { Archive } from '../archive/archive.ts'
import { recheckOnce } from '../contract/recrawl.ts'
import { alarmOf } from './alarm.ts'
import { committerOf, type Committed, type Result } from './committer.ts'
import { connectionsOf } from './connections.ts'
import { outputOf, repositoryOf } from './connectors/registry.ts'
import { fetchDocument, type FetchOutcome, type Fetching } from './fetch.ts'
import { openFrontier } from './frontier.ts'
import { attemptOf } from './history/attempts.ts'
import type { DocumentToFetch } from './frontier.sql.ts'
import type { FileSetting } from './harvestFile.ts'
import { openRange } from './hops/range.ts'
import { hostsOf } from './login/areas.ts'
import type { Credentials } from './login/credentials.ts'
import { openLogins } from './login/logins.ts'
import { uncommittedBytesMax, uncommittedCountMax, type CrawlSettings } from './limits.ts'
import { turnsOf, type HostTurn } from './politeness.ts'
import { earlierCapture } from './recrawl/earlierCapture.ts'
import { pastReader } from './recrawl/past.ts'
import { robotsTokenOf } from './robotsVerdict.ts'
import { withRedirectedSeed } from './scope.ts'
import { spoolIn } from './spool.ts'
import { refusal, resultOf, type Subject, type TurnContext } from './turn.ts'
import { watchOf } from './watch.ts'

export type LimitReached = 'OBJECT_LIMIT' | 'SIZE_LIMIT' | 'TIME_LIMIT'
export type RunEnd = LimitReached | 'DOWNLOAD_COMPLETE' | 'stopped'

export interface RunSetting extends FileSetting {
  archive: Pick<Archive, 'openFile'>
  definition: HarvestDefinition
  settings: CrawlSettings
  credentials: Pick<Credentials, 'secretOf'>
  /** What was fetched and how long the job ran before this stretch. */
  before: { fetched: number; bytes: number; runningMs: number }
  /** Not the first stretch: hosts may have been asked a moment ago. */
  isContinued: boolean
  /** Aborted when a person pauses or stops the job. */
  signal: AbortSignal
  onProgress(): void
  say(level: 'info' | 'warning' | 'error', text: string): void
}

/** Resolves when nothing is in flight any more and every claimed document is settled or waits again. Rejects with
 *  `DiskFault` or `StorageFault` when results cannot be written down; nothing that was committed is lost. */
export async function runJob(setting: RunSetting): Promise<RunEnd> {
  const { store, world, job, settings } = setting
  const connector = repositoryOf(setting.definition)
  const definition = connector.inForce(setting.definition)
  const frontier = openFrontier(store, job, definition.robots)
  const range = openRange(store, job, definition)
  const userAgent = definition.userAgent ?? settings.userAgent
  const turns = turnsOf({
    frontier,
    delayMs: definition.delayMs ?? settings.delayMs,
    connectionsPerHost: definition.connectionsPerHost ?? settings.connectionsPerHost,
    robots: definition.robots,
    robotsToken: robotsTokenOf(userAgent),
    ...(setting.isContinued ? { askedUntilMs: world.clock.now() } : {}),
  })
  const pastOf = pastReader(store)
  const output = outputOf(definition).open(setting)
  const committer = committerOf({
    store,
    job,
    frontier,
    output,
    range,
    recheck: definition.recheck ?? recheckOnce,
    now: () => world.clock.now(),
    alongside: (results) => logins.writeDown(results.flatMap(found)),
    onCommitted: noteCommitted,
  })
  const giveUp = new AbortController()
  const fetching: Fetching = {
    world,
    settings,
    connections: connectionsOf(world),
    watch: watchOf(world, giveUp.signal),
    newSpool: () => spoolIn(world, setting.folder),
    earlierCapture: (place) => earlierCapture(setting, place),
    resolve: definition.resolve,
    // The seeds of an import are paths.
    ownHosts: new Set([
      ...definition.seeds.flatMap((seed) => URL.parse(seed)?.hostname ?? []),
      ...Object.keys(definition.resolve),
      ...(definition.login ? hostsOf(definition.login) : []),
    ]),
    userAgent,
    signal: giveUp.signal,
  }
  const logins = openLogins({
    login: definition.login,
    store,
    job,
    world,
    credentials: setting.credentials,
    request: (url, referrer, asking) => fetchDocument(url, referrer, fetching, asking),
    say: setting.say,
  })
  const context: TurnContext = {
    fetching,
    logins,
    definition,
    connector,
    repository: connector.open({ definition, fetching: { ...fetching, ask: logins.fetch } }),
    output,
    scope: { current: frontier.redirectedSeeds().reduce(withRedirectedSeed, connector.scopeOf(definition)) },
    frontier,
    range,
    say: setting.say,
  }
  const workersMax = definition.workers ?? settings.workers
  const startedMs = world.clock.now()
  const { before } = setting
  let fetched = before.fetched
  let bytes = before.bytes
  let fetchingCount = 0
  const inFlight = new Set<Promise<void>>()
  let fault: { error: unknown } | undefined
  const alarm = alarmOf(world)

  function noteCommitted({ counts, hosts }: Committed): void {
    fetched += counts.fetched
    bytes += counts.bytes
    for (const host of hosts) turns.wake(host)
    setting.onProgress()
    alarm.ring()
  }

  async function work(host: HostTurn, claimed: DocumentToFetch): Promise<void> {
    const past = pastOf(claimed.id)
    const document = past ? { ...claimed, past } : claimed
    const subject = { document, host: host.id }
    const refused = refusal(subject, host.origin, host.robots, context)
    if (refused) {
      turns.ended(host, undefined)
      return committer.commit(refused)
    }
    fetchingCount += 1
    let outcome
    let result: Result | undefined
    try {
      outcome = await context.repository.fetch(document)
      // Where robots.txt redirects, its rules take further requests: they belong to this turn.
      if (document.role === 'robots') result = await resultOrMistake(subject, outcome)
    } finally {
      fetchingCount -= 1
      turns.ended(host, world.clock.now())
      alarm.ring()
    }
    result ??= await resultOrMistake(subject, outcome)
    await committer.commit(result)
    if (result.robots) turns.setRobots(host, result.robots.state, result.robots.text)
    if (result.kind === 'postponed') turns.wakeAgain(host)
  }

  /** A mistake of ours with one document must not keep the job from all the others. */
  async function resultOrMistake(subject: Subject, outcome: FetchOutcome): Promise<Result> {
    try {
      return await resultOf(subject, outcome, context)
    } catch (error) {
      if (error instanceof DiskFault || error instanceof StorageFault) throw error
      const detail = error instanceof Error ? error.message : String(error)
      setting.say('error', `${subject.document.url}: ${reasons.internal.text}: ${detail}`)
      if (outcome.kind !== 'failed') await outcome.response.discard()
      const robots =
        subject.document.role === 'robots' ? { robots: { state: 'UNREACHABLE' as const, text: 'internal' } } : {}
      const { durationMs } = outcome
      const attempts = [attemptOf(subject.document, outcome)]
      return {
        ...subject,
        ...robots,
        attempts,
        kind: 'ended',
        outcome: 'failed',
        reason: 'internal',
        detail,
        durationMs,
      }
    }
  }

  function start(host: HostTurn, document: DocumentToFetch): void {
    const working = work(host, document)
      .catch((error: unknown) => {
        fault ??= { error }
      })
      .finally(() => {
        inFlight.delete(working)
        alarm.ring()
      })
    inFlight.add(working)
  }

  function runningMs(): number {
    return before.runningMs + world.clock.now() - startedMs
  }

  function limitReached(): LimitReached | undefined {
    if (fetched >= (definition.maxObjects ?? Infinity)) return 'OBJECT_LIMIT'
    if (bytes >= (definition.maxBytes ?? Infinity)) return 'SIZE_LIMIT'
    if (runningMs() >= (definition.maxSeconds ?? Infinity) * 1000) return 'TIME_LIMIT'
    return undefined
  }

  /** Whether another worker may begin: never more objects than the limit, counting those on their way. */
  function mayStart(): boolean {
    return (
      fetchingCount < workersMax &&
      inFlight.size < workersMax + uncommittedCountMax &&
      committer.waitingBytes < uncommittedBytesMax &&
      fetched + inFlight.size < (definition.maxObjects ?? Infinity)
    )
  }

  async function loop(): Promise<RunEnd> {
    for (;;) {
      if (setting.signal.aborted || fault) return 'stopped'
      const limit = limitReached()
      if (limit) return limit
      const turn = mayStart() ? turns.next(world.clock.now()) : undefined
      if (turn && 'document' in turn) {
        start(turn.host, turn.document)
        continue
      }
      // Only who was asked for a turn can say that there is none.
      if (inFlight.size === 0 && turn && turn.againMs === undefined) return 'DOWNLOAD_COMPLETE'
      const timeLimitMs = startedMs - before.runningMs + (definition.maxSeconds ?? Infinity) * 1000
      await alarm.wait(Math.min(turn?.againMs ?? Infinity, timeLimitMs) - world.clock.now())
    }
  }

  committer.follow()
  for (const host of frontier.hosts()) if (host.pending) turns.wake(host)
  const onStop = () => {
    giveUp.abort()
    alarm.ring()
  }
  setting.signal.addEventListener('abort', onStop)
  const end = await loop().catch((error: unknown): RunEnd => {
    fault ??= { error }
    return 'stopped'
  })
  // Time is up, or the job was stopped: what is under way is given up. Otherwise it is finished in peace.
  if (end === 'TIME_LIMIT' || end === 'stopped') giveUp.abort()
  while (inFlight.size > 0) await Promise.all(inFlight)
  setting.signal.removeEventListener('abort', onStop)
  giveUp.abort()
  fetching.connections.closeAll()
  try {
    // Whether or not the file can be closed now: what was claimed waits again.
    await committer.close().finally(() => frontier.release())
  } catch (error) {
    fault ??= { error }
  }
  if (fault) throw fault.error
  return end
}

/** The addresses that a result has put into the queue. */
function found(result: Result): string[] {
  return result.kind === 'fetched' ? result.candidates.flatMap(({ url, excluded }) => (excluded ? [] : [url])) : []
}
