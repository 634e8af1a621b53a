/** Calls and events about batch jobs, with their shapes. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { call, event } from '../calls/service.ts'
import { patternShape } from '../shapes/pattern.ts'
import { jobId, count, time, nothing } from '../shapes/shapes.ts'
import { batchStates } from '../states/states.ts'

const storedBatchRequest = z.strictObject({
  /**
   * The name of a built-in batch job, or the absolute path of a file that ends with .mjs. The user chooses that code: it runs with the
   * rights of the user who runs Loupe, without a sandbox.
   */
  module: z.string().min(1),
  /** Only files whose name matches this pattern. */
  files: z.string().optional(),
  jobs: z.array(jobId).min(1).optional(),
  kind: z.enum(['content', 'metadata', 'both']).default('both'),
  /** Only copies in this replica; absent: each file from the first replica with a good copy. */
  replica: z.string().min(1).optional(),
  /**
   * Time limit of the whole run: seven days, as in NetarchiveSuite. For each file an hour suffices for the largest on the slowest drive.
   */
  timeoutSeconds: z.int().min(1).max(2_000_000).default(604_800),
  fileTimeoutSeconds: z.int().min(1).max(2_000_000).default(3_600),
})
export type BatchRequest = z.output<typeof storedBatchRequest>
export const batchRequest = storedBatchRequest.extend({ files: patternShape.optional() })

/** Shape of a run of a batch job with its progress and result. */
export const batchRunSummary = z.object({
  run: z.int().min(1),
  name: z.string(),
  request: storedBatchRequest,
  state: z.enum(batchStates.states),
  filesTotal: count,
  bytesTotal: count,
  /** Files that have been processed, including those that failed. */
  processed: count,
  failed: count,
  bytesDone: count,
  /** Paths of the module's output, and of the errors with their files. */
  output: z.string(),
  errors: z.string(),
  outputBytes: count,
  errorBytes: count,
  started: time,
  ended: time.nullable(),
  problem: z.string().nullable(),
  code: z.enum(faultCodes).nullable(),
})
export type BatchRunSummary = z.output<typeof batchRunSummary>

const batchOutput = z.object({
  text: z.string(),
  /** Offset of the next piece. */
  next: count,
  bytesTotal: count,
})
export type BatchOutput = z.output<typeof batchOutput>

export const batchCalls = {
  /** Starts a batch job. Refused when the module is inside the archive, or too many are running. */
  start: call(batchRequest, batchRunSummary),
  /** Newest first. */
  list: call(nothing, z.array(batchRunSummary)),
  stop: call(z.strictObject({ run: z.int().min(1) }), batchRunSummary),
  /** Returns a part of the module's output, or of the errors, by its offset in bytes. */
  output: call(
    z.strictObject({
      run: z.int().min(1),
      of: z.enum(['output', 'errors']).default('output'),
      offset: count.default(0),
      limit: z.int().min(16).max(1_048_576).default(65_536),
    }),
    batchOutput,
  ),
  builtIns: call(nothing, z.array(z.object({ name: z.string(), does: z.string() }))),
  changed: event(batchRunSummary),
}
