/** Verdicts: what users say about the quality of archived pages and of a job as a whole. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, jobId, page, time } from '../shapes/shapes.ts'

/** From the best to the worst. `unusable`: the page says nothing of what it said. */
export const verdictValues = ['good', 'minor', 'bad', 'unusable'] as const
export type VerdictValue = (typeof verdictValues)[number]

/** A verdict on a page, or on the whole job, whose URL is ''. */
export const pageVerdict = z.object({
  job: jobId,
  url: z.string(),
  verdict: z.enum(verdictValues),
  note: z.string(),
  /** Account of the user who gave it. */
  author: z.string(),
  judged: time,
})
export type PageVerdict = z.output<typeof pageVerdict>

export const judgedPages = z.object({
  /** Pages of the newest page audit of the job; null: it has none. */
  audited: count.nullable(),
  /** Of these, pages with a verdict. */
  auditedJudged: count,
  /** Pages by verdict, whether or not they were audited. */
  good: count,
  minor: count,
  bad: count,
  unusable: count,
  /** The verdict on the whole job. */
  ofJob: pageVerdict.nullable(),
  /** Changes that are in the database, and not yet in a file of the archive. */
  unstored: count,
})
export type JudgedPages = z.output<typeof judgedPages>

export const verdictCalls = {
  /** Lists verdicts on pages of a job, the worst first, then by URL. */
  list: call(
    z.strictObject({ job: jobId, verdict: z.enum(verdictValues).optional(), ...page }),
    z.object({ rows: z.array(pageVerdict), total: count }),
  ),
  /** Counts the verdicts of a job. */
  progress: call(z.strictObject({ job: jobId }), judgedPages),
  /** Gives pages a verdict in place of an earlier one; null takes it back. The URL '' is the whole job. An absent note leaves the earlier one. */
  set: call(
    z.strictObject({
      job: jobId,
      urls: z.array(z.string()).min(1).max(1_000),
      verdict: z.enum(verdictValues).nullable(),
      note: z.string().trim().max(2_000).optional(),
    }),
    z.object({ pages: count }),
  ),
  /** Writes changes that no file has into a file of the job, so that they are kept and exported with it. Null: there were none. */
  store: call(z.strictObject({ job: jobId }), z.object({ file: z.string().nullable() })),
} as const
