/** Service `qualityReports` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import type { QualityReport } from '../../contract/services/qualityReports.ts'
import type { PageAudits } from '../../quality/pageAudits/pageAudits.ts'
import type { Quality } from '../../quality/quality.ts'
import { qualityReport, thumbnailsOf, type ReportParts } from '../../quality/report/qualityReport.ts'
import { qualityReportCsv } from '../../quality/report/qualityReportCsv.ts'
import { qualityReportHtml } from '../../quality/report/qualityReportHtml.ts'

type Parts = ReportParts & { quality: Pick<Quality, 'begun'>; pageAudits: Pick<PageAudits, 'begun'> }

/** Makes the service. */
export function qualityReportsService(parts: Parts): Loupe['qualityReports'] {
  const formats: Record<
    'json' | 'csv' | 'html',
    { mediaType: string; of: (report: QualityReport) => Promise<string> }
  > = {
    json: { mediaType: 'application/json', of: async (report) => `${JSON.stringify(report, null, 2)}\n` },
    csv: { mediaType: 'text/csv', of: async (report) => qualityReportCsv(report) },
    html: {
      mediaType: 'text/html',
      of: async (report) => qualityReportHtml(report, await thumbnailsOf(parts.pageAudits, report)),
    },
  }
  return {
    async make({ job, format = 'json' }) {
      await Promise.all([parts.quality.begun, parts.pageAudits.begun])
      const data = await qualityReport(parts, job)
      const { mediaType, of } = formats[format]
      const name = `quality-job-${job}-${data.at.slice(0, 10)}.${format}`
      return { data, name, mediaType, text: await of(data) }
    },
  }
}
