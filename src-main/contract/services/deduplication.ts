/** Calls about deduplication: what it saved, what refers to what, and whether every capture without content of its own still resolves. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { deduplicationGroups } from '../shapes/choices.ts'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'

/** Captures that have no content of their own, and the bytes that were not stored again, as compressed in the archive. */
const saved = { captures: count, bytes: count }

/** Jobs whose captures are considered; absent: the whole archive. */
const ofJobs = { jobs: z.array(jobId).min(1).max(10_000).optional() }

/** A file that could not be read: captures in it, and content in it, are unknown. */
const missingFile = z.object({ name: z.string(), reason: messageShape })

const deduplicationReport = z.object({
  ...saved,
  /** The most bytes first. `name`: number of a job (null: files without a job), host, or media type. */
  rows: z.array(z.object({ name: z.union([z.string(), jobId]).nullable(), ...saved })),
  filesMissing: z.array(missingFile),
})

const deduplicationReference = z.object({
  /** File with the content, and its job. */
  file: z.string(),
  fileJob: jobId.nullable(),
  /** The job whose captures refer to it. */
  job: jobId.nullable(),
  ...saved,
  /** Captures whose content is in no other file: they would be lost with this one. */
  onlyHere: count,
})

const unresolvedCapture = z.object({
  url: z.string(),
  captured: time,
  /** File with its record or its crawl log. */
  file: z.string(),
  job: jobId.nullable(),
  why: messageShape,
})

export const deduplicationCalls = {
  /** What was not stored again, by job, host or media type. Builds the index of the whole archive if there is none. */
  report: call(z.strictObject({ ...ofJobs, by: z.enum(deduplicationGroups).default('job') }), deduplicationReport),
  /** Which files have content of captures in which jobs, those with the most captures first. */
  references: call(
    z.strictObject({
      /** Only content in this file. */
      file: z.string().min(1).optional(),
      /** Only content in files of this job. */
      fileJob: jobId.optional(),
      ...ofJobs,
      limit: z.int().min(1).max(1_000).default(200),
      offset: count.default(0),
    }),
    z.object({ rows: z.array(deduplicationReference), total: count, filesMissing: z.array(missingFile) }),
  ),
  /** Checks that the content of every capture is in the archive. */
  verify: call(
    z.strictObject(ofJobs),
    z.object({
      /** Captures that resolve. */
      resolved: count,
      /** The first 1,000 that do not; `total` of them. */
      unresolved: z.object({ rows: z.array(unresolvedCapture), total: count }),
      filesMissing: z.array(missingFile),
    }),
  ),
} as const
