/** Shape of a recovery of the database from the files of the archive. */
import { z } from 'zod'
import { time, count, jobId, messageShape } from '../shapes/shapes.ts'

/** Recovery of records that only files have: unknown files in the replicas, and those in the quarantine. */
export const recoverySummary = z.object({
  state: z.enum(['RUNNING', 'DONE', 'STOPPED', 'FAILED']),
  started: time,
  ended: time.nullable(),
  /** Files in the replicas and in the quarantine. */
  filesTotal: count,
  filesDone: count,
  bytesTotal: count,
  bytesDone: count,
  /** Files added to the catalogue. */
  registered: count,
  /** Jobs whose rows were recreated. */
  jobs: z.array(jobId),
  /** The job that imports files of the quarantine that no metadata file names. */
  importJob: jobId.nullable(),
  /** Files removed from the quarantine, because every replica has the same bytes. */
  cleared: count,
  /** What could not be recovered: it stays unchanged. */
  problems: z.array(z.object({ name: z.string(), message: messageShape })),
})
export type RecoverySummary = z.output<typeof recoverySummary>
