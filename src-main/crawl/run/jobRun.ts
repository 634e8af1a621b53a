/** One job while it is worked on: takes the turns that the queue gives it, fetches, settles and commits, until nothing is left,
 *  a limit is reached or it is told to stop. It changes no job state: that is for the loops. */
import type { HarvestDefinition } from '../../contract/contract.ts'
import { reasons } from '../../contract/states/outcomes.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { recheckOnce } from '../../contract/shapes/recrawl.ts'
import { alarmOf } from '../model/alarm.ts'
import { inheritanceOf } from '../settle/carried/inheritance.ts'
import { committerOf } from './committer.ts'
import { connectionsOf } from '../capture/fetch/connections.ts'
import { outputOf, repositoryOf } from '../capture/connectors/registry.ts'
import { versionsOf } from '../capture/connectors/versions.ts'
import { fetchDocument, type FetchOutcome, type Fetching } from '../capture/fetch/fetch.ts'
import { openFrontier, type Changed } from '../frontier/frontier.ts'
import { attemptOf } from './attempts.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import type { FileSetting } from '../capture/records/harvestFile.ts'
import { openRange } from '../settle/hops/range.ts'
import { hostsOf } from '../capture/login/areas.ts'
import type { Credentials } from '../capture/login/credentials.ts'
import { openLiveRun } from '../live/liveRun.ts'
import { openLogins } from '../capture/login/logins.ts'
import { openOutOfScopeQueue } from './outOfScope.ts'
import { uncommittedBytesMax, uncommittedCountMax, type CrawlSettings } from '../model/limits.ts'
import { partOf, type Memory } from '../model/memory.ts'
import type { Bandwidth } from '../frontier/bandwidth.ts'
import type { ReadyDocument } from '../frontier/readyBuffer.ts'
import { hostDelayMsAfter } from '../settle/attempt.ts'
import type { Queue } from '../frontier/queue.ts'
import { placesOf, termsOf } from '../frontier/slotTerms.ts'
import type { JobSlot } from '../frontier/servers.ts'
import type { Result } from '../settle/result.ts'
import type { RunTime } from './runTime.ts'
import { earlierCapture } from '../capture/fetch/earlierCapture.ts'
import { previousCaptureReader } from '../settle/previousCaptures.ts'
import { failingReader } from '../settle/settled.sql.ts'
import { withRedirectedSeed } from '../model/scope.ts'
import { spoolIn } from '../capture/fetch/spool.ts'
import { refusal, resultOf, unchangedResult, type Subject, type TurnContext } from './turn.ts'
import { watchOf } from '../capture/fetch/watch.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

export type LimitReached = 'OBJECT_LIMIT' | 'SIZE_LIMIT' | 'TIME_LIMIT'
/** `renewed`: the definition was changed; the job goes on with the new one. */
export type RunEnd = LimitReached | 'DOWNLOAD_COMPLETE' | 'stopped' | 'renewed'

export interface RunSetting extends FileSetting {
  archive: Pick<Archive, 'openFile'>
  queue: Queue
  /** 1 is the most urgent. */
  priority: number
  definition: HarvestDefinition
  settings: CrawlSettings
  memory: Memory
  credentials: Pick<Credentials, 'secretOf'>
  /** What was fetched before this stretch. */
  before: { fetched: number; bytes: number }
  /** Of the run, with this stretch, whose end is somebody else's. */
  runTime: Pick<RunTime, 'elapsedMs' | 'note'>
  /** Not the first stretch of the first run: hosts may have been asked a moment ago. */
  isContinued: boolean
  /** Aborted when a person pauses or stops the job. */
  signal: AbortSignal
  /** The definition is not what it was when this stretch began. */
  isOutdated(): boolean
  onProgress(): void
  /** A fault that the definition does not let the job pass over: it is stopped, with this text. */
  giveUp(text: string): void
  log(level: 'info' | 'warning' | 'error', text: string): void
}

const tookOverText =
  'An earlier version of Loupe began this job and kept no links: how far a document is from the seeds is counted along the way by which it was found.'

/** How often a run that waits looks whether somebody has changed its budgets. */
const lookAtChangesMs = 500

/** Resolves when nothing is in flight any more and every claimed document is settled or waits again. Rejects with
 *  `DiskFault` or `StorageFault` when results cannot be written down; nothing that was committed is lost. */
export async function runJob(setting: RunSetting): Promise<RunEnd> {
  const { store, world, job, settings, queue } = setting
  const connector = repositoryOf(setting.definition)
  const definition = connector.inForce(setting.definition)
  const range = openRange(store, job, definition)
  const terms = termsOf(definition, settings, connector)
  const runMsMax = (definition.maxSeconds ?? Infinity) * 1000
  const slot: JobSlot = {
    ...terms,
    job,
    priority: setting.priority,
    askedUntilMs: setting.isContinued ? world.clock.elapsed() : -Infinity,
    mayStart,
    forgetKnown: () => frontier.forget(),
    hostStatus: (origin) => live.hostStatus(origin),
  }
  const known = setting.memory.known.of(job)
  const answers = partOf(setting.memory.answers)
  const frontier = openFrontier(
    store,
    job,
    definition.robots,
    {
      ...placesOf(terms),
      jobPriority: () => slot.priority,
    },
    known,
  )
  const { anyWaiting } = frontierStatements(store)
  const userAgent = definition.userAgent ?? settings.userAgent
  const previousCaptureOf = previousCaptureReader(store)
  const live = openLiveRun(setting)
  /** Documents under way whose host is bounded in its bytes. */
  const paced = new Map<string, Bandwidth>()
  const output = outputOf(definition).open(setting)
  const committer = committerOf({
    store,
    job,
    frontier,
    output,
    range,
    recheck: definition.recheck ?? recheckOnce,
    now: () => world.clock.now(),
    live,
    alongside(results) {
      logins.writeDown(results.flatMap(found))
      runTime.note()
    },
    onCommitted: noteCommitted,
  })
  const giveUp = new AbortController()
  const fetching: Fetching = {
    world,
    settings,
    connections: connectionsOf(world),
    watch: watchOf(world, giveUp.signal),
    newSpool: () => spoolIn(world, setting, answers),
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
    pace: (url, bytes) => paced.get(url)?.came(bytes, giveUp.signal),
  }
  const logins = openLogins({
    login: definition.login,
    store,
    job,
    world,
    credentials: setting.credentials,
    request: (url, referrer, asking) => fetchDocument(url, referrer, fetching, asking),
    log: setting.log,
  })
  const context: TurnContext = {
    fetching,
    logins,
    definition,
    connector,
    repository: connector.open({ definition, fetching: { ...fetching, ask: logins.fetch } }),
    versions: versionsOf(store, job),
    output,
    scope: { current: frontier.redirectedSeeds().reduce(withRedirectedSeed, connector.scopeOf(definition)) },
    frontier,
    live,
    range,
    inheritance: inheritanceOf(store, job),
    failingOf: failingReader(store),
    giveUp: setting.giveUp,
    log: setting.log,
  }
  const outOfScope = openOutOfScopeQueue({
    ...{ store, job, connector, frontier, live, range },
    scope: context.scope,
    placesBefore: connector.scopeOf(definition).places.size,
    nowMs: () => world.clock.now(),
  })
  const { before, runTime } = setting
  let fetched = before.fetched
  let bytes = before.bytes
  let fetchingCount = 0
  const inFlight = new Set<Promise<void>>()
  let fault: { error: unknown } | undefined
  const alarm = alarmOf(world)

  function noteCommitted({ counts, hasNews }: Changed): void {
    fetched += counts.fetched
    bytes += counts.bytes
    if (hasNews) queue.news()
    setting.onProgress()
    alarm.ring()
    queue.alarms.feeder.ring()
  }

  async function work(ready: ReadyDocument): Promise<void> {
    const end = live.begin(ready.turn.origin)
    try {
      await workOn(ready)
    } finally {
      end()
    }
  }

  function refusalOf(subject: Subject, { origin, robots }: ReadyDocument['turn']): Result | undefined {
    const { id, url, role } = subject.document
    fetchingCount += 1
    try {
      const refused = live.refusal({ id, url, role })
      if (!refused) return refusal(subject, origin, robots, context)
      return { ...subject, ...refused, kind: 'ended', outcome: 'excluded', durationMs: null }
    } finally {
      fetchingCount -= 1
    }
  }

  async function workOn({ turn, document: claimed }: ReadyDocument): Promise<void> {
    const previous = previousCaptureOf(claimed.id)
    const document = previous ? { ...claimed, previous } : claimed
    const subject = { document, host: turn.id }
    const refused = refusalOf(subject, turn) ?? (await unchangedResult(subject, context))
    if (refused) {
      queue.ended(turn, undefined)
      return committer.commit(refused)
    }
    fetchingCount += 1
    const beganMs = world.clock.elapsed()
    const { bandwidth } = turn.server
    bandwidth?.begin(beganMs)
    if (bandwidth) paced.set(document.url, bandwidth)
    let outcome
    let result: Result | undefined
    try {
      outcome = await context.repository.fetch(document)
      // Where robots.txt redirects, its rules take further requests: they belong to this turn.
      if (document.role === 'robots') result = await resultOrMistake(subject, outcome)
    } finally {
      fetchingCount -= 1
      bandwidth?.end()
      paced.delete(document.url)
      const endedMs = world.clock.elapsed()
      queue.ended(turn, { endedMs, tookMs: outcome?.durationMs ?? endedMs - beganMs })
      recordHostDelay(turn)
      alarm.ring()
    }
    const hostDelayMs = hostDelayMsAfter(outcome, settings, world.clock.now())
    if (hostDelayMs > 0) queue.rest(turn, hostDelayMs)
    if (hostDelayMs > 0) recordHostDelay(turn)
    result ??= await resultOrMistake(subject, outcome)
    await committer.commit(result)
    if (result.robots) queue.setRobots(turn, result.robots.state, result.robots.text)
    if (result.kind === 'postponed') queue.news()
  }

  /** For whoever looks at the queue. */
  function recordHostDelay({ id, server }: ReadyDocument['turn']): void {
    live.recordReadyTime(id, server.readyMs)
  }

  /** A mistake of ours with one document must not keep the job from all the others. */
  async function resultOrMistake(subject: Subject, outcome: FetchOutcome): Promise<Result> {
    try {
      return await resultOf(subject, outcome, context)
    } catch (error) {
      if (error instanceof DiskFault || error instanceof StorageFault) throw error
      const detail = messageOf(error)
      setting.log('error', `${subject.document.url}: ${reasons.internal.text}: ${detail}`)
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

  function start(ready: ReadyDocument): void {
    const working = work(ready)
      .catch((error: unknown) => {
        fault ??= { error }
      })
      .finally(() => {
        inFlight.delete(working)
        alarm.ring()
        queue.alarms.feeder.ring()
      })
    inFlight.add(working)
  }

  function limitReached(): LimitReached | undefined {
    if (fetched >= (definition.maxObjects ?? Infinity)) return 'OBJECT_LIMIT'
    if (bytes >= (definition.maxBytes ?? Infinity)) return 'SIZE_LIMIT'
    if (runTime.elapsedMs() >= runMsMax) return 'TIME_LIMIT'
    return undefined
  }

  /** Whether another worker may begin: never more objects than the limit, counting those on their way, and nothing by a
   *  definition that holds no more. */
  function mayStart(): boolean {
    return (
      fetchingCount < terms.workers &&
      inFlight.size < terms.workers + uncommittedCountMax &&
      committer.waitingBytes < uncommittedBytesMax &&
      fetched + inFlight.size < (definition.maxObjects ?? Infinity) &&
      !setting.isOutdated()
    )
  }

  async function loop(): Promise<RunEnd> {
    for (;;) {
      if (setting.signal.aborted || fault) return 'stopped'
      if (setting.isOutdated()) return 'renewed'
      const limit = limitReached()
      if (limit) return limit
      if (live.sweep()) {
        await world.clock.sleep(0)
        continue
      }
      if (inFlight.size === 0 && queue.isEmptyFor(job) && !anyWaiting.get({ job })) {
        const changed = outOfScope.takeIn()
        if (!changed) return 'DOWNLOAD_COMPLETE'
        noteCommitted(changed)
        continue
      }
      await alarm.wait(Math.min(runMsMax - runTime.elapsedMs(), lookAtChangesMs))
    }
  }

  if (range?.tookOver) setting.log('info', tookOverText)
  committer.follow()
  queue.join(slot, start)
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
  queue.leave(job)
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
  frontier.forget()
  answers.giveAllBack()
  if (fault) throw fault.error
  return end
}

/** The addresses that a result has put into the queue. */
function found(result: Result): string[] {
  return result.kind === 'fetched' ? result.candidates.flatMap(({ url, excluded }) => (excluded ? [] : [url])) : []
}
