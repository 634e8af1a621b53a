/** Calls and events about storing files from elsewhere, with their shapes. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { call, event } from '../calls/service.ts'
import { count, messageShape, page } from '../shapes/shapes.ts'
import { uploadStates } from '../states/states.ts'

/** A file from elsewhere that is being stored in every replica. */
export const uploadedFile = z.object({
  path: z.string(),
  name: z.string(),
  bytes: count,
  /** `stored`: every replica has the file and its checksum agreed. `refused`: storing could not begin. */
  state: z.enum(['waiting', 'storing', 'stored', 'failed', 'refused']),
  problem: messageShape.nullable(),
  /** Fault code of the problem, as a call would return it. */
  code: z.enum(faultCodes).nullable(),
  replicas: z.array(
    z.object({
      replica: z.string(),
      upload: z.enum(uploadStates.states),
      problem: messageShape.nullable(),
    }),
  ),
})
export type UploadedFile = z.output<typeof uploadedFile>

/** Shape of an upload with its progress. */
export const uploadSummary = z.object({
  upload: z.int().min(1),
  filesDone: count,
  filesTotal: count,
  /** Bytes written to and read again from the slowest replica. */
  bytesDone: count,
  bytesTotal: count,
  isRunning: z.boolean(),
  /** Paths below the given folders that could not be read. */
  unread: z.array(z.object({ path: z.string(), problem: messageShape })),
})
export type UploadSummary = z.output<typeof uploadSummary>

export const uploadCalls = {
  /**
   * Starts storing files from elsewhere; for folders, all archive files in them. A file that every replica has already counts as stored;
   * after a stop, the same call continues.
   */
  start: call(z.strictObject({ paths: z.array(z.string().min(1)).min(1) }), uploadSummary),
  show: call(z.strictObject({ upload: z.int().min(1) }), uploadSummary),
  files: call(
    z.strictObject({ upload: z.int().min(1), ...page }),
    z.object({ rows: z.array(uploadedFile), total: count }),
  ),
  stop: call(z.strictObject({ upload: z.int().min(1) }), uploadSummary),
  changed: event(uploadSummary),
}
