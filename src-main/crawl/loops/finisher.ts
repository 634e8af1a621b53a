/** The finisher: moves a job out of its working state when nothing is left to fetch or a limit is reached. */
import type { StopReason } from '../../contract/services/jobSummary.ts'
import { message } from '../../contract/words/message.ts'
import { noCounts } from '../frontier/counts.ts'
import type { RunEnd } from '../run/runSetting.ts'
import type { Engine } from './engine.ts'
import { areSeedsGiven } from './seeding.ts'

type Reason = Exclude<RunEnd, 'stopped' | 'renewed'>

/** The parts of the engine that the finisher uses. */
export type FinisherEngine = Pick<Engine, 'store' | 'sql' | 'queue' | 'move' | 'log'>

/** Finishes a job for the given reason, unless a user has added work or made another request in the meantime. */
export function finishJob(engine: FinisherEngine, job: number, reason: Reason): void {
  const isFinished = engine.store.transaction(() => {
    if (reason === 'DOWNLOAD_COMPLETE' && isGivenMore(engine, job)) return false
    // A user may have paused or stopped the job just now; that request takes precedence.
    if (engine.move(job, 'finished') === undefined) return false
    engine.sql.setStopReason.run({ job, stopReason: stopReasonOf(reason) })
    if (reason !== 'DOWNLOAD_COMPLETE') excludeWaiting(engine, job, limitReason[reason])
    return true
  })
  if (isFinished) engine.log(job, 'info', message(finishMessage[reason]))
}

/** Tells whether a user has added work in the meantime: seeds, which the seeding loop is about to queue, or URLs that a rule
 *  no longer rejects. */
function isGivenMore(engine: FinisherEngine, job: number): boolean {
  return areSeedsGiven(engine, job) || engine.queue.anyWaiting.get({ job }) !== undefined
}

/** Excludes the rest of the queue when a run ends early. */
export function excludeWaiting({ queue }: Pick<Engine, 'queue'>, job: number, reason: string): void {
  queue.settleWaiting.run({ job })
  const excluded = queue.excludeWaiting.run({ job, reason })
  const left = queue.leaveWaiting.run({ job })
  queue.count.run({ ...noCounts, job, excluded, total: -left })
}

/** A run that waited in vain ends unfinished, as in NetarchiveSuite. */
function stopReasonOf(reason: Reason): StopReason {
  return reason === 'NO_RESPONSE' || reason === 'INACTIVE' ? 'DOWNLOAD_UNFINISHED' : reason
}

const limitReason = {
  OBJECT_LIMIT: 'objectLimit',
  SIZE_LIMIT: 'byteLimit',
  TIME_LIMIT: 'timeLimit',
  NO_RESPONSE: 'noResponse',
  INACTIVE: 'inactive',
} as const
const finishMessage = {
  DOWNLOAD_COMPLETE: 'jobLog.end.complete',
  OBJECT_LIMIT: 'jobLog.end.objects',
  SIZE_LIMIT: 'jobLog.end.bytes',
  TIME_LIMIT: 'jobLog.end.time',
  NO_RESPONSE: 'jobLog.end.noResponse',
  INACTIVE: 'jobLog.end.inactive',
} as const satisfies Record<Reason, string>
