/** Calls and events about storing files from elsewhere, with their shapes. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { call } from '../calls/service.ts'
import { count, messageShape, nothing, page } from '../shapes/shapes.ts'
import { uploadStates } from '../states/states.ts'
import { taskSummary } from './tasks.ts'

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

/** Shape of an upload: a task with what is its own. Bytes are those written to and read again from the slowest replica. */
export const uploadSummary = taskSummary.extend({
  /** Paths below the given folders that could not be read. */
  unread: z.array(z.object({ path: z.string(), problem: messageShape })),
})
export type UploadSummary = z.output<typeof uploadSummary>

export const uploadCalls = {
  /**
   * Starts storing files from elsewhere; for folders, all archive files in them. A file that every replica has already counts as stored.
   * Refused for a relative path; notFound when there is no archive file.
   */
  start: call(z.strictObject({ paths: z.array(z.string().min(1)).min(1) }), uploadSummary),
  /** Newest first. Progress and ends are events of `tasks`. */
  list: call(nothing, z.array(uploadSummary)),
  files: call(
    z.strictObject({ task: z.int().min(1), ...page }),
    z.object({ rows: z.array(uploadedFile), total: count }),
  ),
}
