/** Shape of a URL of a job, and how it can end. */
import { z } from 'zod'
import { count, messageShape, time } from '../shapes/shapes.ts'
import { truncationNames } from '../states/outcomes.ts'
import { documentStates } from '../states/states.ts'

/**
 * Result of a document. Duplicates, whose payload another capture of the job has too, are fetched documents that are also counted
 * separately.
 */
export const outcomes = ['fetched', 'failed', 'excluded'] as const

/** Shape of a URL of a job as it is listed. */
export const documentRow = z.object({
  id: count,
  url: z.string(),
  state: z.enum(documentStates.states),
  outcome: z.enum(outcomes).nullable(),
  /** A `Reason` of `states/outcomes.ts`: why it failed or was excluded. */
  code: z.string().nullable(),
  /** The reason with the rule or message that caused it; for a fetched URL, anything unusual about it. */
  reason: messageShape.nullable(),
  /** Why the capture of a fetched URL is truncated; null when it is complete. */
  truncated: z.enum(truncationNames).nullable(),
  status: z.int().nullable(),
  mediaType: z.string().nullable(),
  bytes: count.nullable(),
  hopPath: z.string(),
  via: z.string().nullable(),
  fetched: time.nullable(),
  durationMs: count.nullable(),
  attempts: count,
})
export type DocumentRow = z.output<typeof documentRow>
