/** Progress of a run, measured against the limits of its definition. */
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import type { LimitReached, RunSetting } from './runSetting.ts'

/** Progress of a run. */
export interface RunProgress {
  add(committed: { fetched: number; bytes: number }): void
  /** Called with every piece of an answer that arrives. */
  received(): void
  /** Called when a request has ended, also one that failed. */
  requestEnded(): void
  /** `inFlight`: requests in progress. */
  limitReached(inFlight: number): LimitReached | undefined
  /** Tells whether one more object may begin while `inFlight` objects are in flight: a run never exceeds its limit of objects. */
  hasRoom(inFlight: number): boolean
  /** Milliseconds until the time limit; Infinity if there is none. */
  msLeft(): number
}

type LimitField = 'maxObjects' | 'maxBytes' | 'maxSeconds' | 'maxNoResponseSeconds' | 'maxInactiveSeconds'

/** Starts with what earlier segments of the run have fetched. A limit that is null in the definition never applies. */
export function runProgress(
  { maxObjects, maxBytes, maxSeconds, maxNoResponseSeconds, maxInactiveSeconds }: Pick<HarvestDefinition, LimitField>,
  { before, runTime }: { before: RunSetting['before']; runTime: Pick<RunSetting['runTime'], 'elapsedMs'> },
): RunProgress {
  const objectsMax = maxObjects ?? Infinity
  const bytesMax = maxBytes ?? Infinity
  const runMsMax = (maxSeconds ?? Infinity) * 1000
  const noResponseMsMax = (maxNoResponseSeconds ?? Infinity) * 1000
  const inactiveMsMax = (maxInactiveSeconds ?? Infinity) * 1000
  let { fetched, bytes } = before
  // Working time, so that pauses, windows of schedules and a suspended machine do not count.
  let receivedAtMs = runTime.elapsedMs()
  let activeAtMs = receivedAtMs
  function received(): void {
    receivedAtMs = runTime.elapsedMs()
  }
  return {
    add(committed) {
      fetched += committed.fetched
      bytes += committed.bytes
      // An answer without a body is only seen here.
      if (committed.fetched > 0) received()
    },
    received,
    requestEnded() {
      activeAtMs = runTime.elapsedMs()
    },
    limitReached(inFlight) {
      const nowMs = runTime.elapsedMs()
      if (inFlight > 0) activeAtMs = nowMs
      if (fetched >= objectsMax) return 'OBJECT_LIMIT'
      if (bytes >= bytesMax) return 'SIZE_LIMIT'
      if (nowMs >= runMsMax) return 'TIME_LIMIT'
      if (nowMs - receivedAtMs >= noResponseMsMax) return 'NO_RESPONSE'
      if (nowMs - activeAtMs >= inactiveMsMax) return 'INACTIVE'
      return undefined
    },
    hasRoom: (inFlight) => fetched + inFlight < objectsMax,
    msLeft: () => runMsMax - runTime.elapsedMs(),
  }
}
