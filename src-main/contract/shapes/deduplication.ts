/** How a harvest recognises what other jobs have captured already. */
import { z } from 'zod'
import { deduplicationMatches } from './choices.ts'
import { mediaTypeRange } from './mediaTypes.ts'
import { jobId } from './shapes.ts'

/** Jobs that a definition may name. */
const namedJobsMax = 1_000
const excludedTypesMax = 100

/** Shape of the deduplication of a harvest. */
export const deduplicationShape = z.strictObject({
  /** `url`: the same URL with the same payload. `payload`: the same payload, whatever its URL. `off`: only against earlier runs of the job
   *  itself. */
  match: z.enum(deduplicationMatches).default('url'),
  /** Jobs in whose captures documents are looked up; absent: those that the job continues. */
  jobs: z.array(jobId).max(namedJobsMax).optional(),
  /** Media types that are always stored in full. Text is small, and a page is complete only with its text. */
  excludedTypes: z.array(mediaTypeRange).max(excludedTypesMax).default(['text/*']),
})
export type Deduplication = z.output<typeof deduplicationShape>

/** The value of a definition without its own. */
export const usualDeduplication: Deduplication = deduplicationShape.parse({})
