/** Report on the quality of a job: the verdict on it, verdicts on its pages, its newest page audit, what is missing, and its overlays. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { reportFormats } from '../shapes/choices.ts'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'
import type { missGroups } from './misses.ts'
import { overlay } from './overlays.ts'
import { auditedPage, pageAuditSummary } from './pageAudits.ts'
import { judgedPages, pageVerdict } from './verdicts.ts'

/** Properties by which a report groups what is missing. */
export const reportedMissGroups = [
  'reason',
  'host',
  'type',
  'state',
] as const satisfies readonly (typeof missGroups)[number][]

/** Rows of each list; the totals count all. */
export const reportedRowsMax = 500

const missGroup = z.object({
  by: z.enum(reportedMissGroups),
  groups: z.array(z.object({ value: z.string(), label: messageShape, misses: count })),
})

const qualityReport = z.object({
  job: jobId,
  /** Name of the harvest. */
  name: z.string(),
  /** When the report was made. */
  at: time,
  software: z.string(),
  /** Counts of verdicts, and the verdict on the job. */
  progress: judgedPages,
  /** The worst first. */
  verdicts: z.array(pageVerdict),
  verdictsTotal: count,
  /** The newest; null: there is none. */
  audit: pageAuditSummary.nullable(),
  /** Pages of the audit, the highest risk first. */
  pages: z.array(auditedPage),
  pagesTotal: count,
  misses: z.array(missGroup),
  missesOpen: count,
  missesTotal: count,
  overlays: z.array(overlay),
})
export type QualityReport = z.output<typeof qualityReport>

export const qualityReportCalls = {
  /** Makes the report: as data, and as a text in the requested format, with a suggested file name. HTML is one page with the first thumbnails. */
  make: call(
    z.strictObject({ job: jobId, format: z.enum(reportFormats).default('json') }),
    z.object({ data: qualityReport, name: z.string(), mediaType: z.string(), text: z.string() }),
  ),
} as const
