/** Progress of a run, measured against the limits of its definition. */
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import type { LimitReached, RunSetting } from './runSetting.ts'

/** Progress of a run. */
export interface RunProgress {
  add(committed: { fetched: number; bytes: number }): void
  limitReached(): LimitReached | undefined
  /** Tells whether one more object may begin while `inFlight` objects are in flight: a run never exceeds its limit of objects. */
  hasRoom(inFlight: number): boolean
  /** Milliseconds until the time limit; Infinity if there is none. */
  msLeft(): number
}

/** Starts with what earlier segments of the run have fetched. A limit that is null in the definition never applies. */
export function runProgress(
  { maxObjects, maxBytes, maxSeconds }: Pick<HarvestDefinition, 'maxObjects' | 'maxBytes' | 'maxSeconds'>,
  { before, runTime }: { before: RunSetting['before']; runTime: Pick<RunSetting['runTime'], 'elapsedMs'> },
): RunProgress {
  const objectsMax = maxObjects ?? Infinity
  const bytesMax = maxBytes ?? Infinity
  const runMsMax = (maxSeconds ?? Infinity) * 1000
  let { fetched, bytes } = before
  return {
    add(committed) {
      fetched += committed.fetched
      bytes += committed.bytes
    },
    limitReached() {
      if (fetched >= objectsMax) return 'OBJECT_LIMIT'
      if (bytes >= bytesMax) return 'SIZE_LIMIT'
      if (runTime.elapsedMs() >= runMsMax) return 'TIME_LIMIT'
      return undefined
    },
    hasRoom: (inFlight) => fetched + inFlight < objectsMax,
    msLeft: () => runMsMax - runTime.elapsedMs(),
  }
}
