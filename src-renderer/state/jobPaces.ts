/** How fast a run was at each time, from samples of its progress. */
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import type { ProgressSample } from '../../src-main/contract/services/jobs.ts'

/** What a run has done after `seconds` of work. */
export interface RunPoint {
  seconds: number
  documents: number
  bytes: number
}

/** The speed between two points, named by the second of them. */
export interface Pace {
  seconds: number
  documentsPerSecond: number
  bytesPerSecond: number
}

/** A shorter time says little about the speed. */
const apartSecondsMin = 1
/** The engine keeps a sample every 20 s, so more points than these would be older than its last one. */
const observedMax = 60

export function pointOf({ seconds, documents, bytes }: Pick<JobSummary, 'seconds' | 'documents' | 'bytes'>): RunPoint {
  return { seconds, documents: documents.fetched + documents.failed, bytes }
}

export function storedPoint({ seconds, fetched, failed, bytes }: ProgressSample): RunPoint {
  return { seconds, documents: fetched + failed, bytes }
}

/** Adds what was observed now. Less work than before is that of another run. */
export function observing(points: readonly RunPoint[], now: RunPoint): RunPoint[] {
  const last = points.at(-1)
  if (last && (now.seconds < last.seconds || now.documents < last.documents)) return [now]
  if (last && now.seconds - last.seconds < apartSecondsMin) return [...points]
  return [...points, now].slice(-observedMax)
}

/** The paces of a run: of the samples that the engine keeps, and of what was observed since. */
export function pacesOf(stored: readonly RunPoint[], observed: readonly RunPoint[]): Pace[] {
  const storedSeconds = stored.at(-1)?.seconds ?? 0
  const points = [...stored, ...observed.filter(({ seconds }) => seconds >= storedSeconds + apartSecondsMin)]
  let before: RunPoint = { seconds: 0, documents: 0, bytes: 0 }
  return points.flatMap((point) => {
    const seconds = point.seconds - before.seconds
    if (seconds < apartSecondsMin) return []
    const pace: Pace = {
      seconds: point.seconds,
      // A URL may leave the count, for example when it is removed from the queue.
      documentsPerSecond: Math.max(0, point.documents - before.documents) / seconds,
      bytesPerSecond: Math.max(0, point.bytes - before.bytes) / seconds,
    }
    before = point
    return [pace]
  })
}
