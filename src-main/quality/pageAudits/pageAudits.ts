/** Page audits: pages of a job are opened in a browser, and what they lack is counted. An audit is a task that can be paused. */
import { join } from 'node:path'
import { faultCodeOf, reasonIn } from '../../archive/files/archiveFault.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type {
  AuditedPage,
  AuditedPageDetails,
  AuditedPageOrder,
  AuditFailure,
  AuditPicture,
  PageAuditRequest,
  PageAuditSummary,
} from '../../contract/services/pageAudits.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs, LiveWeb } from '../../crawl/crawl.ts'
import type { Indexes } from '../../indexes/indexes.ts'
import type { Task } from '../../tasks/task.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { auditsShownMax } from '../model/limits.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import { auditMisses } from './auditMisses.ts'
import type { KeptParts } from './auditPage.ts'
import { runAudit } from './auditRun.ts'
import { openKeeping } from './keeping.ts'
import { pageAuditStatements, pageListStatement, type PageLists, type PageRow } from './pageAudits.sql.ts'
import { openRestoring, type Restoring, type RestoringParts } from './restoreAudits.ts'
import { browserOver, type VisitingParts } from './visiting.ts'
import { parts as keptParts, workingFiles } from './workingFiles.ts'

/** What page audits need from the engine. */
export interface PageAuditsParts extends Omit<RestoringParts, 'files' | 'sql'> {
  world: Pick<World, 'clock' | 'threads' | 'disk'>
  jobs: Pick<Jobs, 'summary' | 'known' | 'fateOf'>
  archive: Pick<Archive, 'openFile' | 'filesOfJob'>
  indexes: Pick<Indexes, 'captureIndexFor'>
  viewer: VisitingParts['viewer']
  files: Pick<QualityFiles, 'write' | 'records' | 'unreadable' | 'names' | 'mergedNames'>
  openBrowser: VisitingParts['openBrowser']
  /** The live web by the rules of a job. */
  liveWebOf: (job: number) => LiveWeb
  archiveFolder: string
}

/** Pages in one order. */
export interface PagesQuery {
  audit: number
  text: string
  isFaulty: boolean
  isUnjudged: boolean
  sort: AuditedPageOrder
  descending: boolean
  offset: number
  limit: number
}

export interface PictureBytes {
  mediaType: string
  bytes: Uint8Array
}

export interface PageAudits extends Restoring {
  /** Begins an audit. Throws `Fault`: refused (no browser, no files), notFound. */
  start(request: PageAuditRequest): Promise<PageAuditSummary>
  /** Audits, newest first, at most `auditsShownMax`; of one job, or of all. */
  list(job: number | undefined): PageAuditSummary[]
  /** Throws `Fault` notFound. */
  one(audit: number): PageAuditSummary
  pages(query: PagesQuery): { rows: AuditedPage[]; total: number }
  /** Throws `Fault` notFound. */
  page(id: number): AuditedPageDetails
  /** Throws `Fault` notFound. */
  picture(id: number, of: AuditPicture): Promise<PictureBytes>
  /** The thumbnail of the last visit of a page; undefined if there is none. */
  thumbnail(page: { job: number; url: string }): Promise<PictureBytes | undefined>
}

/** Opens page audits. One that a kill interrupted waits until the user resumes it; the pages that were open are queued again. */
export async function openPageAudits(given: PageAuditsParts): Promise<PageAudits> {
  const { store, world, tasks, jobs, archive, archiveFolder, openBrowser } = given
  const sql = pageAuditStatements(store)
  const working = workingFiles(world.disk, join(archiveFolder, 'pageAudits'))
  const keeping = openKeeping({ ...given, sql, working })
  const visiting = { viewer: given.viewer, openBrowser }
  const run = { ...given, sql, working, keeping, visiting, noteMisses: auditMisses(given) }
  const work = async (task: Task) => {
    try {
      return await runAudit(run, task)
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      throw new Fault(faultCodeOf[error.code], reasonIn(error), { cause: error })
    }
  }
  await tasks.register('pageAudit', {
    resume: work,
    onInterrupted: async ({ task }) => void sql.requeue.run({ audit: task }),
  })

  function summaryOf(task: TaskSummary): PageAuditSummary {
    const row = sql.one.get({ audit: task.task })
    if (!row) throw new Error(`task ${task.task} has no row of a page audit`)
    const { good = 0, bad = 0, missing = 0, consoleErrors = 0, failed = 0 } = task.figures
    return {
      ...{ ...task, job: row.job, request: JSON.parse(row.request) as PageAuditRequest },
      figures: { good, bad, missing, consoleErrors, failed },
      ...{ isRestored: row.isRestored === 1, pagesLeftOut: row.leftOut },
      files: sql.files.all({ audit: task.task }).map(({ file }) => file),
    }
  }

  function rowOf(id: number): PageRow {
    const row = sql.page.get({ id })
    if (!row) throw new Fault('notFound', message('pageAudit.page.absent', { page: id }))
    return row
  }

  async function pictureOf(row: PageRow, of: AuditPicture): Promise<PictureBytes | undefined> {
    const bytes = await keeping.read(row, of)
    return bytes && { mediaType: keptParts[of].mediaType, bytes }
  }

  return {
    ...openRestoring({ ...given, sql }),
    async start(request) {
      const { job, compareWith } = request
      for (const audited of typeof compareWith === 'number' ? [job, compareWith] : [job]) {
        jobs.summary(audited)
        if (archive.filesOfJob(audited).length === 0)
          throw new Fault('refused', message('pageAudit.noFiles', { job: audited }))
      }
      const browser = await browserOver(visiting)()
      await browser.close()
      const task = tasks.begin(
        'pageAudit',
        {
          ...{ subject: message('pageAudit.subject', { job }), startedBy: 'user', stage: 'listing' },
          record: (audit) => void sql.add.run({ audit, job, request: JSON.stringify(request) }),
        },
        work,
      )
      return summaryOf(task)
    },
    list(job) {
      const wanted = job === undefined ? undefined : new Set(sql.ofJob.all({ job }).map(({ audit }) => audit))
      const all = tasks.list({ kind: 'pageAudit', limit: auditsShownMax })
      // The audits of a job go with it, their tasks stay.
      return all.filter(({ task }) => (wanted ? wanted.has(task) : sql.one.get({ audit: task }))).map(summaryOf)
    },
    one: (audit) => summaryOf(tasks.one(audit, 'pageAudit')),
    pages({ sort, descending, offset, limit, ...filter }) {
      const asked = { ...filter, isFaulty: Number(filter.isFaulty), isUnjudged: Number(filter.isUnjudged) }
      const rows = pageListStatement(store, sort, descending).all({ ...asked, offset, limit })
      return { rows: rows.map(pageOf), total: sql.count.get(asked)?.total ?? 0 }
    },
    page(id) {
      const row = rowOf(id)
      const kept = JSON.parse(row.kept) as KeptParts
      const none: PageLists = { missingResources: [], badResources: [], consoleMessages: [] }
      return {
        ...{ ...pageOf(row), ...none, ...(JSON.parse(row.details) as Partial<PageLists>), isCut: row.isCut === 1 },
        ...{ hasScreenshot: 'screenshot' in kept, hasDifference: 'difference' in kept },
      }
    },
    async picture(id, of) {
      const found = await pictureOf(rowOf(id), of)
      if (!found) throw new Fault('notFound', message('pageAudit.picture.absent', { page: id }))
      return found
    },
    async thumbnail(page) {
      const row = sql.lastVisit.get(page)
      return row && pictureOf(row, 'thumbnail')
    },
  }
}

function pageOf(row: PageRow): AuditedPage {
  const { visitedMs, failure, isLoaded, isCut: _, details: __, kept: ___, file: ____, ...page } = row
  return {
    ...{ ...page, failure: failure as AuditFailure | null, isLoaded: isLoaded === 1 },
    visited: visitedMs === null ? null : new Date(visitedMs).toISOString(),
  }
}
