/** Calls about exports, with their shapes. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { exportFormats, waczVersions } from '../shapes/choices.ts'
import { selectionMessage, selectionShape, selecting, type Selection } from '../shapes/selection.ts'
import { count, messageShape, nothing, time } from '../shapes/shapes.ts'
import { message, type Message } from '../words/message.ts'
import { searchModes, urlMatches } from './search.ts'
import { taskSummary } from './tasks.ts'

const exportFields = z.strictObject({
  /** For jobs and for the whole archive, this includes the metadata files, except in a CSV, which lists captures. */
  ...selectionShape,
  /** Narrows to this URL: the host with or without `www.`, http or https, the path and everything below it. */
  url: z.string().trim().min(1).optional(),
  /**
   * Narrows a WARC or a WACZ to the captures that a search finds in the selection, which has jobs or is everything, and adds what their pages
   * need to be displayed: images, style sheets, scripts and frames, redirects, and the originals of revisits. Not together with `url`, `from`
   * and `to`.
   */
  matching: z
    .strictObject({
      mode: z.enum(searchModes),
      query: z.string().trim().min(1).max(4_000),
      /** For URLs. */
      match: z.enum(urlMatches).default('prefix'),
    })
    .optional(),
  /** Both ends are included. */
  from: time.optional(),
  to: time.optional(),
  format: z.enum(exportFormats),
  /** Absolute path of a file that does not exist yet. */
  path: z.string().min(1),
  /**
   * Whether originals of revisits are written even if they are outside the narrowing: a revisit has no payload of its own. True by default,
   * because an export without them has pages that cannot be displayed.
   */
  withOriginals: z.boolean().default(true),
  /** Version of a WACZ. */
  waczVersion: z.enum(waczVersions).default('1.1.1'),
  /** Whether a WACZ gets a signature with this archive's own key. */
  sign: z.boolean().default(false),
})
export const exportRequest = selecting(exportFields)
export type ExportRequest = z.output<typeof exportRequest>

/** What an export has, as a value of a message. */
export function exportedMessage({ matching, ...selection }: Selection & Pick<ExportRequest, 'matching'>): Message {
  const what = selectionMessage(selection)
  if (matching === undefined) return what
  const { query } = matching
  return selection.all ? message('export.matching.all', { query }) : message('export.matching', { query, what })
}

/**
 * Shape of an export: a task with what is its own. Files are those of the archive that have been written; bytes are those read of all that
 * must be read, including the new file, which is read again at the end.
 */
export const exportSummary = taskSummary.extend({
  request: exportRequest,
  figures: z.object({
    /** Records written; for a CSV its rows. */
    records: count,
    /** Bytes of the new file. */
    bytes: count,
  }),
  /** Whether the result was read again and has the same records and digests. */
  verified: z.boolean(),
  /** Whether nothing of the selection is missing: no record was too damaged to be written, and every revisit has its original. */
  complete: z.boolean(),
  /** Remarks for the user, for example about revisits whose original is not in the selection. */
  remarks: z.array(messageShape),
})
export type ExportSummary = z.output<typeof exportSummary>

export const exportCalls = {
  /**
   * Starts an export. Refused when the file exists, a job has not ended, or the disk has no room for it; notFound when the archive has
   * nothing of a job, or no file of a name.
   */
  start: call(exportRequest, exportSummary),
  /** Newest first. Progress and ends are events of `tasks`. */
  list: call(nothing, z.array(exportSummary)),
}
