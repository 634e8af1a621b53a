/** Jobs that harvests generated: their status as NetarchiveSuite has it, why a configuration is in a job, and what users decide about
 *  failed ones. Everything else about a job is in `jobs.ts`. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, jobId, messageShape, page, time } from '../shapes/shapes.ts'
import { generatedActions, generatedStatuses } from '../states/generatedStatuses.ts'

/** Shape of a generated job as it is listed. */
export const generatedJobRow = z.object({
  job: jobId,
  harvest: z.int().min(1),
  harvestName: z.string(),
  run: z.int().min(1),
  status: z.enum(generatedStatuses),
  channel: z.string(),
  template: z.string(),
  templateVersion: z.int().min(1),
  objectsMax: count.nullable(),
  bytesMax: count.nullable(),
  configurations: count,
  objectsExpected: count,
  objects: count,
  bytes: count,
  /** Why the crawl failed, and which files are not stored, in short; null: neither. `errors` has the long form of both. */
  harvestError: messageShape.nullable(),
  uploadError: messageShape.nullable(),
  resubmittedAs: jobId.nullable(),
  continuationOf: jobId.nullable(),
  created: time,
  submitted: time.nullable(),
  started: time.nullable(),
  ended: time.nullable(),
  actions: z.array(z.enum(generatedActions)),
})
export type GeneratedJobRow = z.output<typeof generatedJobRow>

/** A configuration of a job, and how many objects were expected of it. */
const explainedConfiguration = z.object({
  domain: z.string(),
  configuration: z.string(),
  objectsExpected: count,
  /** How the expectation was computed, step by step. */
  estimate: z.array(messageShape),
})

const errorLines = z.array(z.object({ at: time, message: messageShape }))

const one = z.strictObject({ job: jobId })

export const generatedJobCalls = {
  list: call(
    z.strictObject({
      status: z.enum(generatedStatuses).optional(),
      harvest: z.int().min(1).optional(),
      run: z.int().min(1).optional(),
      domain: z.string().optional(),
      /** Jobs with numbers in this range. */
      from: jobId.optional(),
      to: jobId.optional(),
      ...page,
    }),
    z.object({ rows: z.array(generatedJobRow), total: count }),
  ),
  show: call(one, generatedJobRow),
  /** What the log of a job says about errors of the crawl, and about files that could not be stored: the newest lines, oldest first. */
  errors: call(one, z.object({ harvest: errorLines, upload: errorLines })),
  /** Explains the split: the configurations of a job, and why the next one is not in it. */
  explain: call(
    z.strictObject({ job: jobId, ...page }),
    z.object({
      rows: z.array(explainedConfiguration),
      total: count,
      /** Null: no configuration followed. */
      next: z.object({ domain: z.string(), configuration: z.string(), reason: messageShape }).nullable(),
    }),
  ),
  /** Repeats a submitted or failed job as a new one. */
  resubmit: call(one, generatedJobRow),
  /** Gives up a failed job, or takes that back. */
  reject: call(one, generatedJobRow),
  unreject: call(one, generatedJobRow),
} as const
