/** Calls about batch jobs, with their shapes. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { patternShape } from '../shapes/pattern.ts'
import { count, jobId, messageShape, nothing } from '../shapes/shapes.ts'
import { taskSummary } from './tasks.ts'

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

/**
 * Shape of a run of a batch job: a task with what is its own. `filesDone` are the files that have been processed, including those that
 * failed, which are counted as `findings`.
 */
export const batchRunSummary = taskSummary.extend({
  /** First part of the names of the two files. */
  name: z.string(),
  request: storedBatchRequest,
  /** Paths of the module's output, and of the errors with their files. */
  output: z.string(),
  errors: z.string(),
  /** Sizes of these files. */
  figures: z.object({ outputBytes: count, errorBytes: count }),
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
  /** Newest first. Progress and ends are events of `tasks`. */
  list: call(nothing, z.array(batchRunSummary)),
  /** Returns a part of the module's output, or of the errors, by its offset in bytes. */
  output: call(
    z.strictObject({
      task: z.int().min(1),
      of: z.enum(['output', 'errors']).default('output'),
      offset: count.default(0),
      limit: z.int().min(16).max(1_048_576).default(65_536),
    }),
    batchOutput,
  ),
  builtIns: call(nothing, z.array(z.object({ name: z.string(), does: messageShape }))),
}
