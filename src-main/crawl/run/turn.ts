/** One document's turn, from the claim to the result that the committer writes: excluded by a rule, or fetched, judged and
 *  made into records. It writes nothing itself. */
import type { Detail } from '../model/detail.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Log } from '../model/jobLog.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { isReason, reasonMessage, type Reason } from '../../contract/states/outcomes.ts'
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { mayFetch } from '../../formats/links/robots.ts'
import type { Result } from '../settle/result.ts'
import type { FoundData, Inheritance } from '../settle/carried/inheritance.ts'
import type { OpenRepository, Output, RepositoryConnector } from '../capture/connectors/connector.ts'
import type { Outlink } from '../model/outlink.ts'
import type { Versions } from '../capture/connectors/versions.ts'
import { candidatesIn } from './candidates.ts'
import { excludingPattern, type Scope } from '../model/scope.ts'
import { contentTypeOf } from '../capture/fetch/outlinks.ts'
import type { FetchOutcome, Captured } from '../capture/fetch/outcome.ts'
import type { Fetching } from '../capture/fetch/fetching.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { DocumentToFetch } from '../model/document.ts'
import type { Originals } from '../capture/originals/originals.ts'
import { mayBeRevisit } from '../capture/records/recordHeaders.ts'
import { attemptOf } from './attempts.ts'
import type { Range } from '../settle/hops/range.ts'
import type { LiveRun } from '../live/liveRun.ts'
import type { Logins } from '../capture/login/logins.ts'
import type { Failing } from '../settle/interruption.ts'
import { waited, type Waited } from '../settle/patience.ts'
import { validatorsOf } from '../capture/fetch/version.ts'
import { type OriginRobots, robotsTokenOf } from '../frontier/originRobots.ts'
import { robotsVerdict } from '../capture/fetch/robotsVerdict.ts'
import { isAttempt, settle } from '../settle/attempt.ts'

/** The parts of a run that a turn uses. */
export interface TurnContext {
  /** Present if the definition limits hops. */
  range?: Pick<Range, 'beyond'> | undefined
  inheritance: Pick<Inheritance, 'of'>
  fetching: Fetching
  logins: Pick<Logins, 'blocker'>
  definition: HarvestDefinition
  /** Source and destination of the documents. */
  connector: RepositoryConnector
  repository: OpenRepository
  versions: Pick<Versions, 'isUnchanged'>
  output: Output
  /** Captures of other jobs. */
  originals: Pick<Originals, 'ofPayload' | 'isExcluded'>
  scope: Scope
  frontier: Pick<Frontier, 'isWanted'>
  /** Returns the stored state of a document's series of failures. */
  failingOf(document: number): Failing
  /** Stops the job with this text. */
  giveUp(why: Message): void
  live: Pick<LiveRun, 'judged'>
  log: Log
}

/** A document and its host. */
export interface Subject {
  document: DocumentToFetch
  host: number
}

/** Decides whether a document is refused without a request; undefined if it may be requested. */
export function refusal(
  subject: Subject,
  origin: string,
  robots: OriginRobots,
  context: TurnContext,
): Result | undefined {
  const { url } = subject.document
  const rule = context.logins.blocker(url)
  if (rule !== undefined) return excluded(subject, 'endsSession', rule)
  const pattern = excludedSince(subject.document, context)
  if (pattern !== undefined) return excluded(subject, 'excludedByPattern', pattern)
  return byRobots(subject, origin, robots, context)
}

/** Returns the exclude pattern that matches the URL. URLs found before a user added the pattern are still queued. Seeds were
 *  named by a user and stay. */
function excludedSince({ url, role, viaId }: DocumentToFetch, { scope }: TurnContext): Detail | undefined {
  if (role === 'robots' || viaId === null) return undefined
  return excludingPattern(scope, url)
}

function byRobots(subject: Subject, origin: string, robots: OriginRobots, context: TurnContext): Result | undefined {
  const { url, role } = subject.document
  const tooFar = context.range?.beyond(subject.document)
  if (tooFar !== undefined)
    return { ...subject, kind: 'ended', outcome: 'excluded', reason: 'tooManyHops', detail: tooFar, durationMs: null }
  if (context.definition.robots === 'ignore' || role === 'robots') return undefined
  // It was handed out to be skipped, and the budget or rule that refused it is gone: now it waits for the rules of its host.
  if (robots.kind === 'unknown') return { ...subject, kind: 'postponed', delayMs: 0, attempted: false }
  if (robots.kind === 'unreachable') {
    const reason = isReason(robots.reason) ? robots.reason : 'robotsUnreachable'
    const detail = message('capture.robotsFailed', { url: `${origin}/robots.txt`, reason: reasonMessage(reason) })
    logForSeed(subject.document, reasonMessage(reason), context)
    return { ...subject, kind: 'ended', outcome: 'failed', reason, detail, durationMs: null }
  }
  if (robots.kind !== 'rules') return undefined
  const { allowed, rule } = mayFetch(robots.robots, robotsTokenOf(context.fetching.userAgent), url)
  if (allowed) return undefined
  const detail = rule ?? message('capture.disallowed')
  logForSeed(subject.document, message('reason.detail', { reason: reasonMessage('robots'), detail }), context)
  return excluded(subject, 'robots', detail)
}

function excluded(subject: Subject, reason: Reason, detail: Detail): Result {
  return { ...subject, kind: 'ended', outcome: 'excluded', reason, detail, durationMs: null }
}

/** Returns a result without a request for a document that its list names as unchanged; its previous outlinks still count. */
export async function unchangedResult(subject: Subject, context: TurnContext): Promise<Result | undefined> {
  const { document } = subject
  const { repository, versions } = context
  // Only a 200 is reused: any other status may have been temporary.
  if (document.previous?.original.status !== 200 || !repository.previousOutlinks || !versions.isUnchanged(document.id))
    return undefined
  const outlinks = await repository.previousOutlinks(document)
  if (!outlinks) return undefined
  return { ...subject, kind: 'unchanged', candidates: context.live.judged(candidatesIn(document, outlinks, context)) }
}

/** Returns the result of an outcome, with the requests that led to it for the history. */
export async function resultOf(subject: Subject, outcome: FetchOutcome, context: TurnContext): Promise<Result> {
  const attempts = [attemptOf(subject.document, outcome)]
  const onFetched = (url: string, further: FetchOutcome) =>
    void attempts.push(attemptOf({ url, role: 'robots' }, further))
  return { ...(await judged(subject, outcome, context, onFetched)), attempts }
}

async function judged(
  subject: Subject,
  outcome: FetchOutcome,
  context: TurnContext,
  onFetched: (url: string, outcome: FetchOutcome) => void,
): Promise<Result> {
  const { document } = subject
  const { world, settings } = context.fetching
  const nowMs = world.clock.now()
  const settlement = settle(outcome, document.attempts, settings, nowMs)
  if (settlement.event === 'postponed') {
    if (outcome.kind !== 'failed') await outcome.response.discard()
    const attempted = isAttempt(outcome)
    if (attempted) {
      const seconds = settlement.delayMs / 1000
      context.log('info', message('jobLog.retry', { url: document.url, why: settlement.why, seconds }))
    }
    return { ...subject, kind: 'postponed', delayMs: settlement.delayMs, attempted }
  }
  const later = waited(outcome, context.failingOf(document.id), {
    recheck: context.definition.recheck ?? recheckOnce,
    nowMs,
  })
  if (later.kind !== 'settled') return setBack(subject, outcome, later, context)
  const delayMs = context.definition.delayMs ?? settings.delayMs
  const verdict =
    document.role === 'robots' && outcome.kind !== 'local'
      ? await robotsVerdict(document.url, outcome, { fetching: context.fetching, delayMs, onFetched })
      : undefined
  if (verdict === 'stopped') {
    if (outcome.kind !== 'failed') await outcome.response.discard()
    return { ...subject, kind: 'postponed', delayMs: 0, attempted: false }
  }
  const robots = verdict === undefined ? {} : { robots: verdict }
  if (outcome.kind !== 'failed') return { ...subject, ...robots, ...(await fetchedResult(document, outcome, context)) }
  const { reason, detail, durationMs } = outcome
  logForSeed(document, message('reason.detail', { reason: reasonMessage(reason), detail }), context)
  return { ...subject, ...robots, kind: 'ended', outcome: 'failed', reason, detail, durationMs }
}

/** Postpones the document, for hours if necessary, or gives up the whole job, which loses no document. */
async function setBack(
  subject: Subject,
  outcome: FetchOutcome,
  later: Exclude<Waited, { kind: 'settled' }>,
  context: TurnContext,
): Promise<Result> {
  const { url } = subject.document
  const why = outcome.kind === 'failed' ? reasonMessage(outcome.reason) : message('reason.unavailable')
  if (outcome.kind !== 'failed') await outcome.response.discard()
  if (later.kind === 'aborted') {
    context.giveUp(message('job.givenUp', { url, why }))
    return { ...subject, kind: 'postponed', delayMs: 0, attempted: true }
  }
  const { delayMs, failing } = later
  const minutes = Math.round(delayMs / 60_000)
  context.log('warning', message('jobLog.retry.later', { url, why, minutes }))
  return { ...subject, kind: 'postponed', delayMs, attempted: true, failing }
}

async function fetchedResult(asked: DocumentToFetch, captured: Captured, context: TurnContext) {
  const document = { ...asked, inherited: context.inheritance.of(asked.url) }
  // Awaited together: a fault of the thread that makes both rejects both.
  const [records, outlinks] = await Promise.all([
    recordsWith(document, captured, context),
    context.repository.outlinksOf(document, captured),
  ])
  const candidates = context.live.judged(candidatesIn(document, outlinks, context))
  return {
    kind: 'fetched' as const,
    records,
    candidates,
    links: outlinks,
    capturedVersion: captured.kind === 'local' ? captured.version : null,
    carried: carriedDataIn(outlinks),
    ...captureFields(captured),
    bytes: captured.response.bytes,
    fetchedMs: captured.startedMs,
    durationMs: captured.durationMs,
    release: () => captured.response.discard(),
  }
}

/** Makes the records: a revisit if the payload is known, from an earlier run or from another job. */
async function recordsWith(document: DocumentToFetch, captured: Captured, { output, originals }: TurnContext) {
  const mediaType = captured.kind === 'local' ? '' : contentTypeOf(captured.head).mediaType
  const elsewhere = originals.isExcluded(mediaType) && !isUnmodified(captured) ? undefined : document.elsewhere
  const records = await output.prepare(document, captured, document.previous ?? elsewhere)
  if (records.kind === 'revisit' || captured.kind === 'local' || !mayBeRevisit(captured)) return records
  const known = await originals.ofPayload({ url: document.url, digest: records.namedDigest, mediaType })
  return known ? output.prepare(document, captured, known) : records
}

/** Whether the server reported that an earlier capture is unchanged. */
function isUnmodified(captured: Captured): boolean {
  return captured.kind !== 'local' && captured.earlier !== undefined
}

function captureFields(captured: Captured) {
  // The charset is left out here; the record contains it.
  const { bytes } = captured.response
  if (captured.kind === 'local') {
    const mediaType = captured.mediaType.replace(/;.*/, '')
    return { status: null, mediaType, contentBytes: bytes, truncated: null, detail: captured.detail }
  }
  return {
    status: captured.head.status,
    mediaType: contentTypeOf((captured.earlier ?? captured).head).mediaType || null,
    // A truncated answer is requested without conditions in the next run: a "not modified" would keep it truncated.
    validators: captured.truncated ? { etag: null, lastModified: null } : validatorsOf(captured.head),
    contentBytes: Math.max(0, bytes - captured.head.bytes),
    truncated: captured.truncated ?? null,
    detail: null,
  }
}

function carriedDataIn(outlinks: readonly Outlink[]): FoundData[] {
  return outlinks.flatMap(({ url, carriedData = {} }) =>
    Object.entries(carriedData).map(([name, value]) => ({ url, name, value })),
  )
}

/** Logs failures of seeds in the job's log, since users must see them first. */
function logForSeed({ url, viaId, role }: DocumentToFetch, why: Message, { log }: TurnContext): void {
  if (viaId === null && role !== 'robots') log('warning', message('jobLog.seed', { url, why }))
}
