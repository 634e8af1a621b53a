/** Shape of a job as it is listed, and of the remains of a deleted one. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'
import { jobStatuses } from '../states/jobStatuses.ts'
import { jobStates } from '../states/states.ts'
import { message, type Message } from '../words/message.ts'
import { findingCounts } from './fileFindings.ts'

export const stopReasons = [
  'DOWNLOAD_COMPLETE',
  'OBJECT_LIMIT',
  'SIZE_LIMIT',
  'TIME_LIMIT',
  'DOWNLOAD_UNFINISHED',
] as const
export type StopReason = (typeof stopReasons)[number]

/** Says why a run stopped, in a sentence. */
export function stopMessage(reason: StopReason): Message {
  return message(`stop.${reason}`)
}

/** URLs of a job in its current or last run, by their result. `docs/numbers.md` lists where each number is shown. */
const documentCounts = z.object({
  /** All URLs found, including those that are excluded. */
  total: count,
  /** URLs answered by their server and archived, whatever the status, including "not found (404)". For an import: captures. */
  fetched: count,
  /** URLs tried without an answer that can be archived. */
  failed: count,
  /** URLs not tried, because the scope, a rule, robots.txt or a limit excludes them. */
  excluded: count,
  /** Fetched URLs with the same payload as another URL of this run. */
  duplicate: count,
  /** Fetched or imported captures that are truncated. */
  truncated: count,
})

/** Shape of a job as it is listed. */
export const jobSummary = z.object({
  job: jobId,
  harvest: z.string(),
  kind: z.enum(['event', 'import']),
  /** Whether a harvest definition generated it: then it runs once. */
  isGenerated: z.boolean(),
  state: z.enum(jobStates.states),
  /** The displayed status. */
  status: z.enum(jobStatuses),
  stopReason: z.enum(stopReasons).nullable(),
  /** Why the job ended in an error, or why it is inactive at the moment. */
  reason: messageShape.nullable(),
  /** The kind of fault of `reason`; null where it is none. */
  reasonCode: z.enum(faultCodes).nullable(),
  documents: documentCounts,
  /** URLs in scope: those with a result in this run (fetched or failed), and all. Excluded URLs are in neither. */
  progress: z.object({ done: count, total: count }),
  /** URLs in the queue: waiting for their turn (in a continuous job also for their next check), and in progress. */
  queued: count,
  /**
   * Findings that need attention. For a harvest: each URL that failed, each truncated capture, and one for each further finding in
   * `findings` of the whole job. For an import: each place in its files that breaks a rule, as `loupe check` counts them.
   */
  findingCounts,
  /** Bytes received in this run, with HTTP headers and before compression. For an import: bytes of the files that it stored. */
  bytes: count,
  /** Seconds that its last run has been active, without pauses and without time in which the machine was suspended. */
  seconds: z.number().min(0),
  documentsPerSecond: z.number().min(0),
  created: time,
  started: time.nullable(),
  ended: time.nullable(),
  /** The first seeds; all are in the definition. */
  seeds: z.array(z.string()),
})
export type JobSummary = z.output<typeof jobSummary>

/** Remains of a deleted job: its files in the archive, under its number. */
export const deletedJob = z.object({
  job: jobId,
  /** Name of its harvest; null when the database does not have it, and only its number is in the catalogue. */
  name: z.string().nullable(),
  deleted: time.nullable(),
  files: count,
  bytes: count,
})
export type DeletedJob = z.output<typeof deletedJob>
