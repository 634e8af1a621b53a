/** Shapes of fixity checks: requests, estimates, progress and findings. */
import { z } from 'zod'
import { patternShape as pattern } from '../shapes/pattern.ts'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'
import { checkKinds } from '../shapes/taskKinds.ts'
import { taskSummary } from './tasks.ts'

/** Shape of a problem with a copy. */
export const preservationFinding = z.object({
  replica: z.string(),
  name: z.string(),
  /** `surplus`: the file is there and not in the catalogue. `notStored`: it is in the catalogue and was never stored there. */
  finding: z.enum(['missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus', 'notStored']),
  /** A length or a checksum, and what was there instead; or why it could not be read. */
  expected: messageShape.nullable(),
  found: messageShape.nullable(),
  job: jobId.nullable(),
})
export type PreservationFinding = z.output<typeof preservationFinding>

/**
 * Shape of a check: a task with what is its own. Files are copies; bytes are those that are read, 0 in all for a check of missing files.
 */
export const checkSummary = taskSummary.extend({
  kind: z.enum(checkKinds),
  replicas: z.array(z.string()),
  /** The pattern of the chosen files, and the size of the random sample; null: all. */
  files: z.string().nullable(),
  sample: z.int().min(1).nullable(),
})
export type CheckSummary = z.output<typeof checkSummary>

export const checkRequest = z.strictObject({
  kind: z.enum(checkKinds),
  replica: z.string().optional(),
  files: pattern.optional(),
  sample: z.int().min(1).optional(),
})
export type CheckRequest = z.input<typeof checkRequest>

/** What a check would examine. */
export const checkEstimate = z.object({
  /** Chosen files, of those that match. */
  files: count,
  of: count,
  /** Their copies in the replicas, and the bytes of these that are read. For a sample the average size is assumed. */
  copies: count,
  bytes: count,
  /** The first names that match. */
  names: z.array(z.string()),
})
export type CheckEstimate = z.output<typeof checkEstimate>

/** An overdue copy: its checksum was last verified too long ago, by a check or when it was stored. */
export const agingCopy = z.object({
  replica: z.string(),
  name: z.string(),
  finding: z.enum(['neverChecked', 'overdue']),
  /** When its checksum was last compared. */
  verified: time.nullable(),
  stored: time,
  job: jobId.nullable(),
})
export type AgingCopy = z.output<typeof agingCopy>
