/** Calls that create harvests and import files, and the shape of an imported file. */
import { z } from 'zod'
import { faultCodes } from '../calls/faults.ts'
import { call, event } from '../calls/service.ts'
import { count, jobId, messageShape, nothing, page } from '../shapes/shapes.ts'
import { importedFileStates } from '../states/states.ts'
import { harvestDefinition } from './definition.ts'
import { findingCounts, severity, fileFinding } from './fileFindings.ts'

/** A file given to an import, or found in a folder or a WACZ given to it. */
export const importedFile = z.object({
  /** The source: a path, and after `!` the place in a package. */
  from: z.string(),
  /** Name of the file in the archive; null until it is stored. */
  name: z.string().nullable(),
  /** Detected format: 'WARC, gzip', 'ARC', 'WACZ' … */
  kind: messageShape,
  state: z.enum(importedFileStates.states),
  bytesTotal: count,
  bytesDone: count,
  records: count,
  captures: count,
  findings: findingCounts,
  /** Why the file was rejected, how it was changed, or which archived file is identical. Null when there is nothing to report. */
  message: messageShape.nullable(),
  /** Fault code of a rejected file, as a call would return it. */
  code: z.enum(faultCodes).nullable(),
  /** For a file that was archived before: the identical file in the archive, and the job that has it. */
  archived: z.object({ name: z.string(), job: jobId.nullable() }).nullable(),
})
export type ImportedFile = z.output<typeof importedFile>

export const harvestCalls = {
  create: call(harvestDefinition, z.object({ job: jobId })),
  /**
   * Changes the definition of a job. A run that is under way adopts the changes that it can; if there is any that it cannot, the call is
   * refused and nothing is changed. Statements about earlier runs keep the definitions of those runs.
   */
  edit: call(
    z.strictObject({ job: jobId, definition: harvestDefinition }),
    z.object({
      job: jobId,
      /** Fields of the definition that have changed. */
      changed: z.array(z.string()),
      holds: z.enum(['now', 'nextRun']),
    }),
  ),
  openSample: call(nothing, z.object({ job: jobId })),
  /** Imports files and folders in any supported archive format; the originals are only read. */
  import: call(z.strictObject({ paths: z.array(z.string().min(1)).min(1) }), z.object({ job: jobId })),
  /** Lists the files that an import was given and found, in the order of processing; empty for a job that is no import. */
  imported: call(z.strictObject({ job: jobId }), z.array(importedFile)),
  /**
   * Findings in the files of an import. For each rule and file only the first are stored: `total` is the number of stored rows, `byRule`
   * the true count of each rule, whichever `rule` was chosen.
   */
  importFindings: call(
    z.strictObject({
      job: jobId,
      /** Name of the file in the archive, or its source. */
      file: z.string().optional(),
      severity: severity.optional(),
      rule: z.string().optional(),
      ...page,
    }),
    z.object({
      rows: z.array(fileFinding),
      total: count,
      byRule: z.array(z.object({ rule: z.string(), severity, count })),
    }),
  ),
  /** Files of an import that have changed, in their present state; at most a few times per second and job. */
  importChanged: event(z.object({ job: jobId, files: z.array(importedFile) })),
}
