/** Shape of a job with all its details: its runs, answers, files and findings. */
import { z } from 'zod'
import { count, messageShape, time } from '../shapes/shapes.ts'
import { truncationNames } from '../states/outcomes.ts'
import { storedDefinition } from './definition.ts'
import { outcomes } from './documents.ts'
import { stopReasons, jobSummary } from './jobSummary.ts'

const finding = z.object({
  level: z.enum(['error', 'warning', 'note']),
  message: messageShape,
  /** Number of URLs, captures or files that the message concerns; 1 where it concerns the job. */
  count,
})

/** URLs of a run by the answer of their server. All except `notFound` add up to the URLs fetched and failed. */
export const answerCounts = z.object({
  /** Status 2xx. */
  success: count,
  /** Status 3xx. */
  redirects: count,
  /** Status 4xx, including those not found. */
  clientErrors: count,
  /** Status 404. */
  notFound: count,
  /** Status 5xx. */
  serverErrors: count,
  /** Archived with any other status (1xx), or from a source without HTTP. */
  other: count,
  /** Failed: no answer that can be archived. */
  none: count,
})
export type AnswerCounts = z.output<typeof answerCounts>

/** Shape of one run of a job. */
export const jobRun = z.object({
  /** Number of the run, from 1. */
  run: z.int().min(1),
  started: time,
  /** Null while the run is active, and where it was ended to begin the next one. */
  ended: time.nullable(),
  /** Active time, as `seconds` of the job. */
  seconds: z.number().min(0),
  stopReason: z.enum(stopReasons).nullable(),
  /** The error that ended the run. */
  reason: messageShape.nullable(),
  /** URLs fetched, the same as `documents.fetched` of the job for its last run. */
  captures: count,
  /** Bytes received. */
  bytes: count,
  /** Findings of this run: the sum of `findingCounts`. Null when unknown, since the run was recovered from older files. */
  findings: count.nullable(),
})
export type JobRun = z.output<typeof jobRun>

/** A field of a definition that cannot be changed while a run is under way, and the reason as the end of a sentence. */
const fixedField = z.object({ field: z.array(z.union([z.string(), count])), why: messageShape })
export type FixedField = z.output<typeof fixedField>

/** Shape of a job with all its details. */
export const jobWhole = jobSummary.extend({
  /** Current activity, or what the job waits for when inactive, in complete sentences. */
  doing: messageShape,
  definition: storedDefinition,
  /** The definition of the last run, to which the numbers belong; null where the definition has not been changed since. */
  ranWith: storedDefinition.nullable(),
  /** Runs, the last first. Those that ended before Loupe stored their numbers are missing. */
  runs: z.array(jobRun),
  /** Null for an import: its captures are not counted by status. */
  answers: answerCounts.nullable(),
  /** Fields of the definition that cannot be changed at the moment. */
  fixed: z.array(fixedField),
  byStatus: z.array(z.object({ status: z.string(), documents: count })),
  /** `mediaType` is null for documents whose server named none. */
  byMediaType: z.array(z.object({ mediaType: z.string().nullable(), documents: count, bytes: count })),
  byReason: z.array(
    z.object({ outcome: z.enum(outcomes), reason: z.string(), message: messageShape, documents: count }),
  ),
  /** Truncated captures, by reason. */
  byTruncation: z.array(z.object({ truncation: z.enum(truncationNames), message: messageShape, documents: count })),
  hosts: z.array(
    z.object({ origin: z.string(), queued: count, fetched: count, failed: count, excluded: count, bytes: count }),
  ),
  /** Size on disk of the archived files of all runs, in their compressed form: the sum of the bytes of `files`. */
  fileBytes: count,
  files: z.array(
    z.object({
      name: z.string(),
      bytes: count,
      sha256: z.string(),
      kind: z.enum(['content', 'metadata']),
      stored: z.boolean(),
    }),
  ),
  findings: z.array(finding),
})
export type JobWhole = z.output<typeof jobWhole>
