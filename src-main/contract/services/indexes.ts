/** Calls about the indexes of the archive. All of them are derived: what is dropped is built again when it is needed. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { buildableIndexes, indexKinds } from '../shapes/choices.ts'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'
import { selecting, selectionShape } from '../shapes/selection.ts'

const indexRow = z.object({
  kind: z.enum(indexKinds),
  /** Name of its file or folder below `indexes`. */
  name: z.string(),
  /** What it covers: "jobs 3, 4"; null: it is damaged or of another version, and will be built again. */
  covers: messageShape.nullable(),
  jobs: z.array(jobId),
  /** Archive files that it covers, and those that could not be read when it was built. */
  files: count,
  filesMissing: count,
  bytes: count,
  modified: time,
  /** Someone reads it now. */
  inUse: z.boolean(),
})
export type IndexRow = z.output<typeof indexRow>

export const indexCalls = {
  list: call(z.strictObject({ kind: z.enum(indexKinds).optional() }), z.array(indexRow)),
  /** Builds an index, unless there is one for the current files. Returns when it is complete, with what it lacks. */
  build: call(
    selecting(z.strictObject({ ...selectionShape, kind: z.enum(buildableIndexes).default('captures') })),
    z.object({
      jobsMissing: z.array(jobId),
      files: count,
      filesMissing: z.array(z.object({ name: z.string(), reason: messageShape })),
    }),
  ),
  /** Drops indexes that are not in use: of this kind, of these jobs, or all. */
  drop: call(
    z.strictObject({ kind: z.enum(indexKinds).optional(), jobs: z.array(jobId).min(1).max(10_000).optional() }),
    z.object({
      dropped: count,
      bytes: count,
      /** Indexes that stay because someone reads them. */
      inUse: count,
    }),
  ),
} as const
