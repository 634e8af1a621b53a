/** Overlays: captures of a patch job that the viewer shows with the job that it patches. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { jobId, time } from '../shapes/shapes.ts'

export const overlay = z.object({
  /** The patched job. */
  patches: jobId,
  /** The patch job. */
  job: jobId,
  name: z.string(),
  isOn: z.boolean(),
  created: time,
  changed: time,
})
export type Overlay = z.output<typeof overlay>

export const overlayCalls = {
  /** Lists the overlays of jobs, by patched job, then by patch job. */
  list: call(z.strictObject({ jobs: z.array(jobId).min(1).max(1_000) }), z.array(overlay)),
  /** Renames an overlay, or switches it on or off, which is stored with the files of the patched job. */
  change: call(
    z.strictObject({
      patches: jobId,
      job: jobId,
      name: z.string().trim().min(1).max(100).optional(),
      isOn: z.boolean().optional(),
    }),
    overlay,
  ),
} as const
