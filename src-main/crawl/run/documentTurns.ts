/** Takes one document at a time from the ready buffer to its commit: refused by a rule, unchanged according to its list, or
 *  fetched; then the queue is notified that the turn of its host has ended, and the result is committed. */
import { message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { reasonMessage } from '../../contract/states/outcomes.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import type { FetchOutcome } from '../capture/fetch/fetch.ts'
import type { ReadyDocument } from '../frontier/readyBuffer.ts'
import { hostDelayMsAfter } from '../settle/attempt.ts'
import { previousCaptureReader } from '../settle/previousCaptures.ts'
import type { Result } from '../settle/result.ts'
import { attemptOf } from './attempts.ts'
import type { OpenRun } from './openRun.ts'
import type { RunSetting } from './runSetting.ts'
import { refusal, resultOf, unchangedResult, type Subject } from './turn.ts'

/** The turns of one stretch. */
export interface DocumentTurns {
  /** Number of turns that are fetching, or about to. */
  readonly fetchingCount: number
  /** Takes one turn. Resolves when the result is committed. Rejects with `DiskFault` or `StorageFault` if it cannot be. */
  take(ready: ReadyDocument): Promise<void>
}

type TurnsSetting = Pick<RunSetting, 'store' | 'world' | 'settings' | 'queue' | 'log'>

/** Opens the turns. `onHostFree` is called when the host of a turn has answered, so another turn may begin. */
export function documentTurns(
  { store, world, settings, queue, log }: TurnsSetting,
  { live, paced, committer, context }: Pick<OpenRun, 'live' | 'paced' | 'committer' | 'context'>,
  onHostFree: () => void,
): DocumentTurns {
  const { clock } = world
  const previousCaptureOf = previousCaptureReader(store)
  let fetchingCount = 0

  async function take(ready: ReadyDocument): Promise<void> {
    const { turn, document: claimed } = ready
    const previous = previousCaptureOf(claimed.id)
    const document = previous ? { ...claimed, previous } : claimed
    const subject = { document, host: turn.id }
    const withoutRequest = refusalOf(subject, turn) ?? (await unchangedResult(subject, context))
    if (withoutRequest) {
      queue.ended(turn, undefined)
      return committer.commit(withoutRequest)
    }
    const result = await fetched(subject, turn)
    await committer.commit(result)
    if (result.robots) queue.setRobots(turn, result.robots.state, result.robots.text)
    if (result.kind === 'postponed') queue.news()
  }

  /** Decides without a request whether the document is refused. The turn counts as fetching meanwhile, so that no further
   *  turn begins in its place before the queue knows that it has ended. */
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

  async function fetched(subject: Subject, turn: ReadyDocument['turn']): Promise<Result> {
    const { document } = subject
    const { bandwidth } = turn.server
    const beganMs = clock.elapsed()
    let outcome
    let result: Result | undefined
    fetchingCount += 1
    bandwidth?.begin(beganMs)
    if (bandwidth) paced.set(document.url, bandwidth)
    try {
      outcome = await context.repository.fetch(document)
      // If robots.txt redirects, reading its rules takes further requests, which belong to this turn.
      if (document.role === 'robots') result = await resultOrInternalError(subject, outcome)
    } finally {
      fetchingCount -= 1
      bandwidth?.end()
      paced.delete(document.url)
      const endedMs = clock.elapsed()
      queue.ended(turn, { endedMs, tookMs: outcome?.durationMs ?? endedMs - beganMs })
      recordHostDelay(turn)
      onHostFree()
    }
    const hostDelayMs = hostDelayMsAfter(outcome, settings, clock.now())
    if (hostDelayMs > 0) {
      queue.rest(turn, hostDelayMs)
      recordHostDelay(turn)
    }
    return result ?? (await resultOrInternalError(subject, outcome))
  }

  /** Records the delay of the host for users who look at the queue. */
  function recordHostDelay({ id, server }: ReadyDocument['turn']): void {
    live.recordReadyTime(id, server.readyMs)
  }

  /** Returns the result. A bug that one document triggers must not stop the job: the document fails, and the log contains the
   *  reason. */
  async function resultOrInternalError(subject: Subject, outcome: FetchOutcome): Promise<Result> {
    try {
      return await resultOf(subject, outcome, context)
    } catch (error) {
      if (error instanceof DiskFault || error instanceof StorageFault) throw error
      const detail = messageOf(error)
      log(
        'error',
        message('jobLog.bug', { url: subject.document.url, reason: reasonMessage('internal'), problem: detail }),
      )
      if (outcome.kind !== 'failed') await outcome.response.discard()
      return {
        ...subject,
        ...(subject.document.role === 'robots' ? { robots: { state: 'UNREACHABLE', text: 'internal' } } : {}),
        ...{ kind: 'ended', outcome: 'failed', reason: 'internal', detail, durationMs: outcome.durationMs },
        attempts: [attemptOf(subject.document, outcome)],
      }
    }
  }

  return {
    get fetchingCount() {
      return fetchingCount
    },
    async take(ready) {
      const end = live.begin(ready.turn.origin)
      try {
        await take(ready)
      } finally {
        end()
      }
    },
  }
}
