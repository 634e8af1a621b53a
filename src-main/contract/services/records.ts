/** Calls about the records of a file, and their shapes. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, jobId } from '../shapes/shapes.ts'
import { fileFinding } from './fileFindings.ts'

/** One row of a record list: fields of the record. */
export const recordRow = z.object({
  number: z.int().min(1),
  offset: count,
  /** Bytes in the file; 0 for a record that shares its gzip member with the next. */
  length: count,
  addressable: z.boolean(),
  type: z.string(),
  /** The date as written; null when the record has none. */
  date: z.string().nullable(),
  status: z.int().nullable(),
  mediaType: z.string().nullable(),
  url: z.string().nullable(),
  findings: count,
})
export type RecordRow = z.output<typeof recordRow>

const headerField = z.tuple([z.string(), z.string()])

/** Shape of one record in all detail. */
export const recordWhole = recordRow.extend({
  file: z.string(),
  /** Null when the record was requested by its offset alone: those before it were not counted. */
  number: z.int().min(1).nullable(),
  job: jobId.nullable(),
  /** The replicas that hold the file. */
  replicas: z.array(z.string()),
  format: z.enum(['warc', 'arc']),
  version: z.string(),
  fields: z.array(headerField),
  http: z.object({ firstLine: z.string(), fields: z.array(headerField) }).nullable(),
  blockBytes: count,
  /** Bytes after the HTTP head, without transfer and content coding; bounded, so the payload may be larger. */
  payloadBytes: count,
  payloadCut: z.boolean(),
  /** The digests in its header, compared with its bytes. */
  digests: z.array(
    z.object({
      of: z.enum(['block', 'payload']),
      named: z.string(),
      computed: z.string(),
      verdict: z.enum(['right', 'rightWithChunks', 'rightOfBlock', 'wrong', 'unknown']),
    }),
  ),
  /** The beginning of the payload, if it is text. */
  text: z.string().nullable(),
  /** The first bytes of the payload in hexadecimal digits. */
  hex: z.string(),
  /** Whether the payload is an image that a browser displays; the viewer's port serves it under `getPayload`. */
  isImage: z.boolean(),
  findingList: z.array(fileFinding),
})
export type RecordWhole = z.output<typeof recordWhole>

export const recordCalls = {
  /**
   * Lists the records of a file of the archive in order, a page at a time. There may be fewer rows than `limit` although there is a
   * `next`: a search for a rare type is limited in time and continues with the next call.
   */
  list: call(
    z.strictObject({
      file: z.string().min(1),
      /** The `next` of the previous page; 0: from the beginning. */
      after: count.default(0),
      limit: z.int().min(1).max(500).default(100),
      type: z.string().trim().min(1).optional(),
    }),
    z.object({
      rows: z.array(recordRow),
      /** The number of the last record that was examined; null at the end of the file. */
      next: z.int().min(1).nullable(),
      /** Findings about the framing in this part of the file; digests are compared by `show`. */
      findings: z.array(fileFinding),
    }),
  ),
  /**
   * Shows the record that begins at `offset`. Several begin there when they share a gzip member: then `number`, from `list`, selects one;
   * otherwise it is returned unchanged.
   */
  show: call(
    z.strictObject({ file: z.string().min(1), offset: count, number: z.int().min(1).optional() }),
    recordWhole,
  ),
}
