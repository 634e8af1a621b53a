/** Shapes of the comparison of copies: votes on checksums, and spot checks with salted questions. */
import { z } from 'zod'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'
import { taskSummary } from './tasks.ts'

/** Vote on the checksum of a file: the registered checksum and every replica have one vote each, and more than half of all decides. */
export const fileVote = z.object({
  name: z.string(),
  job: jobId.nullable(),
  bytes: count,
  /** The checksum in the catalogue. */
  registered: z.string(),
  registeredVerdict: z.enum(['right', 'wrong', 'unknown']),
  /** The checksum that won; null when none has enough votes. */
  winner: z.string().nullable(),
  votes: count,
  needed: z.int().min(1),
  copies: z.array(
    z.object({
      replica: z.string(),
      verdict: z.enum(['right', 'corrupt', 'missing', 'unknown']),
      /** The checksum when it was last read; null when the copy is missing, or has changed since. */
      checksum: z.string().nullable(),
    }),
  ),
  /** The result, and what to do about it. */
  message: messageShape,
})
export type FileVote = z.output<typeof fileVote>

/** Answers of the replicas to one salted question about one file. */
export const spotFinding = z.object({
  name: z.string(),
  job: jobId.nullable(),
  at: time,
  /** Hexadecimal, the key of the HMAC, so that any reader of the bytes can recompute an answer. */
  salt: z.string(),
  /** `single`: only one replica could be asked, so nothing was compared. `none`: none could. */
  verdict: z.enum(['agree', 'differ', 'failed', 'single', 'none']),
  answers: z.array(
    z.object({
      replica: z.string(),
      /** `notAsked`: the replica holds checksums only, or never got the file. `away`: its drive is not available. */
      kind: z.enum(['answered', 'notAsked', 'failed', 'away']),
      hmac: z.string().nullable(),
      why: messageShape.nullable(),
    }),
  ),
})
export type SpotFinding = z.output<typeof spotFinding>

/** Shape of a spot check: a task with the answers so far, file by file. Its findings are files on which the user must act. */
export const spotCheckSummary = taskSummary.extend({
  kind: z.literal('spot'),
  files: z.array(spotFinding),
})
export type SpotCheckSummary = z.output<typeof spotCheckSummary>
