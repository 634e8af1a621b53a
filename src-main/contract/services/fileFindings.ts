/** Shape of a finding in an archive file, and of the counts of findings. */
import { z } from 'zod'
import { count, messageShape } from '../shapes/shapes.ts'

export const findingCounts = z.object({ errors: count, warnings: count, notes: count })

export const severity = z.enum(['error', 'warning', 'note'])

/** A finding of a rule of the formats about a place in a file. */
export const fileFinding = z.object({
  /** Name of a rule of `formats/rules`, for example `recordTorn`. */
  rule: z.string(),
  severity,
  /** The standard with its clause, or whose practice the rule follows. */
  clause: z.string(),
  /** What the rule means for preserving the file, and what to do. */
  means: messageShape,
  /** What was found at this place. */
  message: messageShape,
  file: z.string(),
  /** Number of the record in the file, from 1; null when the finding concerns the file. */
  record: z.int().min(1).nullable(),
  offset: count.nullable(),
})
export type FileFinding = z.output<typeof fileFinding>
