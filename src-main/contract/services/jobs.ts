/** Calls and events about jobs. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { jobId, count, time, page, nothing, messageShape } from '../shapes/shapes.ts'
import { outcomes, documentRow } from './documents.ts'
import { jobWhole } from './jobDetails.ts'
import { jobSummary, deletedJob } from './jobSummary.ts'

const jobMove = z.object({ job: jobId, from: z.string(), to: z.string() })
const logLine = z.object({ id: count, at: time, level: z.enum(['info', 'warning', 'error']), message: messageShape })
const progressSample = z.object({
  at: time,
  /** Working time of the run, without pauses. */
  seconds: z.number().min(0),
  /** URLs in the queue. */
  queued: count,
  fetched: count,
  failed: count,
  /** Bytes received in this run. */
  bytes: count,
})
export type ProgressSample = z.output<typeof progressSample>
export type LogLine = z.output<typeof logLine>

export const jobCalls = {
  list: call(z.strictObject({ state: z.string().optional() }), z.array(jobSummary)),
  show: call(z.strictObject({ job: jobId }), jobWhole),
  documents: call(
    z.strictObject({
      job: jobId,
      /** `truncated`: fetched, but incomplete. */
      outcome: z.enum([...outcomes, 'queued', 'truncated']).optional(),
      text: z.string().optional(),
      ...page,
    }),
    z.object({ rows: z.array(documentRow), total: count }),
  ),
  log: call(
    z.strictObject({ job: jobId, after: count.default(0), limit: z.int().min(1).max(1000).default(200) }),
    z.array(logLine),
  ),
  /** The progress of the current or last run: a sample every 20 s, of long runs fewer, and one at its end. Oldest first. */
  progress: call(z.strictObject({ job: jobId }), z.array(progressSample)),
  /** Starts the next run of a job that has ended. `minimal`: only new and changed documents are examined. */
  start: call(z.strictObject({ job: jobId, minimal: z.boolean().optional() }), jobMove),
  /** Ends the run that is under way and begins the next. */
  restart: call(z.strictObject({ job: jobId, minimal: z.boolean().optional() }), jobMove),
  /** Removes the job and its list from Loupe. Its archived files stay, and can be viewed by its number. */
  delete: call(z.strictObject({ job: jobId }), jobMove),
  pause: call(z.strictObject({ job: jobId }), jobMove),
  resume: call(z.strictObject({ job: jobId }), jobMove),
  abort: call(z.strictObject({ job: jobId }), jobMove),
  /** Lists deleted jobs that have files in the archive, the newest first: they can be viewed and exported by their numbers. */
  deleted: call(nothing, z.array(deletedJob)),
  /** The numbers or the state of a job have changed; at most a few times per second and job. */
  changed: event(jobSummary),
  /** A deleted job has been removed. */
  removed: event(z.object({ job: jobId })),
}
