/** Takes one document at a time from the ready buffer to its commit: refused by a rule, unchanged according to its list, or
 *  fetched; then the queue is notified that the turn of its host has ended, and the result is committed. */
import type { ReadyDocument } from '../frontier/readyDocuments.ts'
import type { DocumentToFetch } from '../model/document.ts'
import { previousCaptureReader } from '../settle/previousCaptures.ts'
import type { Result } from '../settle/result.ts'
import { hostRequests, type FetchingCount } from './hostRequests.ts'
import type { OpenRun } from './openRun.ts'
import type { RunSetting } from './runSetting.ts'
import { refusal, unchangedResult, type Subject } from './turn.ts'

/** The turns of one segment. */
export interface DocumentTurns {
  /** Number of turns that are fetching, or about to. */
  readonly fetchingCount: number
  /** Takes one turn. Resolves when the result is committed. Rejects with `DiskFault` or `StorageFault` if it cannot be. */
  take(ready: ReadyDocument): Promise<void>
}

type TurnsSetting = Pick<RunSetting, 'store' | 'world' | 'settings' | 'queue'>
type TurnsRun = Pick<OpenRun, 'live' | 'paced' | 'commit' | 'context' | 'originals' | 'order'>

/** Opens the turns. */
export function documentTurns(setting: TurnsSetting, run: TurnsRun): DocumentTurns {
  const { queue } = setting
  const { live, commit, context, order } = run
  const fetching: FetchingCount = { value: 0 }
  const request = hostRequests({ ...setting, ...run, fetching })
  const previousCaptureOf = previousCaptureReader(setting.store)

  async function take({ turn, document: claimed }: ReadyDocument): Promise<void> {
    const document = await withKnown(claimed)
    const subject = { document, host: turn.id }
    const withoutRequest = refusalOf(subject, turn) ?? (await unchangedResult(subject, context))
    if (withoutRequest) {
      queue.ended(turn, undefined)
      return written(withoutRequest)
    }
    const result = await request(subject, turn)
    await written(result)
    if (result.robots) queue.setRobots(turn, result.robots.state, result.robots.text)
  }

  async function written(result: Result): Promise<void> {
    await commit(result)
    if (result.kind === 'postponed') queue.news()
  }

  /** Adds the last capture of the document in this job or else in others. The turn counts as fetching meanwhile. */
  async function withKnown(claimed: DocumentToFetch): Promise<DocumentToFetch> {
    const previous = previousCaptureOf(claimed.id)
    if (previous) return { ...claimed, previous }
    if (claimed.role === 'robots' || !run.originals.isOpen) return claimed
    fetching.value += 1
    try {
      const elsewhere = await run.originals.ofUrl(claimed.url)
      return elsewhere ? { ...claimed, elsewhere } : claimed
    } finally {
      fetching.value -= 1
    }
  }

  /** Decides without a request whether the document is refused. The turn counts as fetching meanwhile, so that no further
   *  turn begins in its place before the queue knows that it has ended. */
  function refusalOf(subject: Subject, { origin, robots }: ReadyDocument['turn']): Result | undefined {
    const { id, url, role } = subject.document
    fetching.value += 1
    try {
      const refused = live.refusal({ id, url, role })
      if (!refused) return refusal(subject, origin, robots, context)
      return { ...subject, ...refused, kind: 'ended', outcome: 'excluded', durationMs: null }
    } finally {
      fetching.value -= 1
    }
  }

  return {
    get fetchingCount() {
      return fetching.value
    },
    async take(ready) {
      const end = order?.hasNumber(ready.document.id) ? undefined : live.begin(ready.turn.origin)
      const endInOrder = order?.begin(ready)
      try {
        await take(ready)
      } finally {
        endInOrder?.()
        end?.()
      }
    },
  }
}
