/** Requests documents from their hosts. The queue gets the turn of the host back as soon as its answer is complete, with the delay
 *  that the host must get; what the answer means is worked out after that. */
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import type { ReadyDocument } from '../frontier/readyDocuments.ts'
import { hostDelayMsAfter } from '../settle/attempt.ts'
import type { Result } from '../settle/result.ts'
import { guardedResult } from './guardedResult.ts'
import type { OpenRun } from './openRun.ts'
import type { RunSetting } from './runSetting.ts'
import type { Subject } from './turn.ts'

/** Number of turns that are fetching, or about to. Shared with the turns that decide without a request. */
export interface FetchingCount {
  value: number
}

/** Parameters of `hostRequests`. */
export interface HostRequestsSetting
  extends Pick<RunSetting, 'world' | 'settings' | 'queue'>, Pick<OpenRun, 'live' | 'paced' | 'context'> {
  fetching: FetchingCount
}

/** Requests one document and returns its result. Rejects with `DiskFault` or `StorageFault`. */
export type RequestDocument = (subject: Subject, turn: ReadyDocument['turn']) => Promise<Result>

/** Prepares the requests of one segment. */
export function hostRequests(setting: HostRequestsSetting): RequestDocument {
  const { settings, queue, live, paced, context, fetching } = setting
  const { clock } = setting.world

  async function fetchInTurn(subject: Subject, turn: ReadyDocument['turn']) {
    const { document } = subject
    const { bandwidth } = turn.server
    const beganMs = clock.elapsed()
    let outcome: FetchOutcome | undefined
    fetching.value += 1
    bandwidth?.begin(beganMs)
    if (bandwidth) paced.set(document.url, bandwidth)
    try {
      outcome = await context.repository.fetch(document)
      // If robots.txt redirects, reading its rules takes further requests, which belong to this turn.
      const result = document.role === 'robots' ? await guardedResult(subject, outcome, context) : undefined
      return { outcome, result }
    } finally {
      fetching.value -= 1
      bandwidth?.end()
      paced.delete(document.url)
      const endedMs = clock.elapsed()
      queue.ended(turn, { endedMs, tookMs: outcome?.durationMs ?? endedMs - beganMs })
      recordReadyTime(turn)
    }
  }

  /** Records when the host may be contacted again, for users who look at the queue. */
  function recordReadyTime({ id, server }: ReadyDocument['turn']): void {
    live.recordReadyTime(id, server.readyMs)
  }

  return async (subject, turn) => {
    const { outcome, result } = await fetchInTurn(subject, turn)
    const hostDelayMs = hostDelayMsAfter(outcome, settings, clock.now())
    if (hostDelayMs > 0) {
      queue.rest(turn, hostDelayMs)
      recordReadyTime(turn)
    }
    return result ?? guardedResult(subject, outcome, context)
  }
}
