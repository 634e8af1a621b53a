/** Collects what is known about the quality of a job. Lists are bounded, and totals count all. */
import { reportedMissGroups, reportedRowsMax, type QualityReport } from '../../contract/services/qualityReports.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { World } from '../../world/world.ts'
import { reportThumbnailsMax } from '../model/limits.ts'
import type { PageAudits } from '../pageAudits/pageAudits.ts'
import type { MissLists } from '../misses/missList.ts'
import type { Overlays } from '../overlays/overlays.ts'
import type { Verdicts } from '../verdicts/verdicts.ts'

export interface ReportParts {
  quality: { misses: Pick<MissLists, 'list' | 'groups'>; verdicts: Verdicts; overlays: Overlays }
  pageAudits: Pick<PageAudits, 'list' | 'pages' | 'thumbnail'>
  jobs: Pick<Jobs, 'summary'>
  world: Pick<World, 'clock'>
  software: string
}

/** Throws `Fault` notFound for a job that does not exist. */
export async function qualityReport(
  { quality, pageAudits, jobs, world, software }: ReportParts,
  job: number,
): Promise<QualityReport> {
  const { harvest: name } = jobs.summary(job)
  const first = { offset: 0, limit: reportedRowsMax }
  const audit = pageAudits.list(job)[0] ?? null
  const byRisk = { text: '', isFaulty: false, isUnjudged: false, sort: 'risk', descending: true } as const
  const pages = audit === null ? undefined : pageAudits.pages({ audit: audit.task, ...byRisk, ...first })
  const verdicts = quality.verdicts.list({ job, ...first })
  const of = { jobs: [job], sort: 'url' as const, descending: false, offset: 0, limit: 1 }
  const misses = []
  for (const by of reportedMissGroups) misses.push({ by, groups: await quality.misses.groups({ jobs: [job], by }) })
  return {
    ...{ job, name, software, at: new Date(world.clock.now()).toISOString() },
    progress: quality.verdicts.progress(job),
    ...{ verdicts: verdicts.rows, verdictsTotal: verdicts.total },
    ...{ audit, pages: pages?.rows ?? [], pagesTotal: pages?.total ?? 0 },
    ...{ misses, missesTotal: (await quality.misses.list(of)).total },
    missesOpen: (await quality.misses.list({ ...of, state: 'OPEN' })).total,
    overlays: quality.overlays.list([job]),
  }
}

/** Reads the thumbnails of the first pages of a report, by the number of the page. Those that no replica gives are absent. */
export async function thumbnailsOf(
  pageAudits: ReportParts['pageAudits'],
  { pages }: Pick<QualityReport, 'pages'>,
): Promise<Map<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>()
  for (const { id, job, url, state } of pages.slice(0, reportThumbnailsMax)) {
    const picture = state === 'DONE' ? await pageAudits.thumbnail({ job, url }) : undefined
    if (picture) found.set(id, picture.bytes)
  }
  return found
}
