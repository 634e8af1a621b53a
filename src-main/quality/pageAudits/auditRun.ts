/** The work of a page audit: its list of pages, made once; the pages, some at once; and the WARC files that keep the results. It continues where
 *  it was, because a page is either queued or done: one that was open when the audit was interrupted is queued again. */
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { NotCompared, PageAuditRequest } from '../../contract/services/pageAudits.ts'
import { message } from '../../contract/words/message.ts'
import type { LiveWeb } from '../../crawl/crawl.ts'
import type { CaptureIndex, Indexes } from '../../indexes/indexes.ts'
import type { Store } from '../../storage/storage.ts'
import type { Ending, Task } from '../../tasks/task.ts'
import type { World } from '../../world/world.ts'
import { auditWidthPx, unkeptPagesMax } from '../model/limits.ts'
import { auditPage } from './auditPage.ts'
import type { AuditedVisit } from './auditMisses.ts'
import type { Keeping } from './keeping.ts'
import { endingOf, progressOf } from './auditResult.ts'
import type { pageAuditStatements } from './pageAudits.sql.ts'
import { liveReferences } from './liveReference.ts'
import { crawlTimeReference, referenceOf, type Reference } from './references.ts'
import { chosenPages } from './sampling.ts'
import { openVisiting, type Visiting, type VisitingParts } from './visiting.ts'
import type { WorkingFiles } from './workingFiles.ts'

export interface RunParts {
  store: Store
  world: Pick<World, 'clock' | 'threads'>
  archive: Pick<Archive, 'openFile'>
  indexes: Pick<Indexes, 'captureIndexFor'>
  sql: ReturnType<typeof pageAuditStatements>
  working: WorkingFiles
  keeping: Keeping
  noteMisses: (visit: AuditedVisit) => void
  visiting: VisitingParts
  /** The live web by the rules of a job. */
  liveWebOf: (job: number) => LiveWeb
}

/** Does the work of the task, from its beginning or from where it was. */
export async function runAudit(parts: RunParts, task: Task): Promise<Ending> {
  const { sql, keeping, indexes } = parts
  const row = sql.one.get({ audit: task.id })
  if (row === undefined) throw new Error(`task ${task.id} has no row of a page audit`)
  const request = JSON.parse(row.request) as PageAuditRequest
  const { job, compareWith, pageSecondsMax: seconds } = request
  task.stage('listing')
  const index = await indexes.captureIndexFor({ jobs: [job] }, { signal: task.signal })
  try {
    await index.whole
    if (row.isListed === 0) await list(parts, request, { audit: task.id, index })
    const jobs = typeof compareWith === 'number' ? [job, compareWith] : [job]
    const visiting = await openVisiting(parts.visiting, { jobs, msMax: seconds * 1_000, signal: task.signal })
    try {
      task.stage('checking')
      await visitAll({ ...parts, visiting }, { request, task, index })
    } finally {
      sql.requeue.run({ audit: task.id })
      await visiting.close()
    }
  } finally {
    index.close()
  }
  task.stage('storing')
  await keeping.keep(task.id)
  return endingOf(sql.totals.get({ audit: task.id }))
}

/** Stores which pages are audited. */
async function list(
  { store, sql }: RunParts,
  request: PageAuditRequest,
  { audit, index }: { audit: number; index: CaptureIndex },
): Promise<void> {
  const { urls, leftOut } = await chosenPages(index, request)
  if (urls.length === 0) throw new Fault('refused', message('pageAudit.noPages', { job: request.job }))
  store.transaction(() => {
    sql.addPages.run({ audit, urls: JSON.stringify(urls) })
    sql.setListed.run({ audit, leftOut })
  })
}

interface Visits {
  request: PageAuditRequest
  task: Task
  index: CaptureIndex
}

type ReferenceParts = Pick<RunParts, 'archive'> & {
  visiting: Visiting
  live: ReturnType<typeof liveReferences>
  isOfAudit: Parameters<typeof crawlTimeReference>[0]['isOfAudit']
}

/** Audits the queued pages, `pagesAtOnce` at once. If one cannot be recorded, the others end, too. */
async function visitAll(
  parts: Omit<RunParts, 'visiting'> & { visiting: Visiting },
  { request, task, index }: Visits,
): Promise<void> {
  const { sql, keeping } = parts
  const failing = new AbortController()
  const signal = AbortSignal.any([task.signal, failing.signal])
  const web = parts.liveWebOf(request.job)
  const live = liveReferences({ ...parts, web, signal })
  const isOfAudit = (url: string, { file, offset }: { file: string; offset: number }) =>
    sql.keptAt.get({ url, file, offset }) !== undefined
  const referenceFor = (url: string) => referenceIn({ ...parts, live, isOfAudit }, { request, index, url })
  let unkept = 0
  let isKeeping = Promise.resolve()

  async function visitSome(): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const page = sql.open.get({ audit: task.id })
      if (page === undefined) return
      await auditPage({ ...parts, referenceFor, signal }, request, { ...page, audit: task.id })
      task.progress(progressOf(sql.totals.get({ audit: task.id })))
      unkept += 1
      if (unkept >= unkeptPagesMax) {
        unkept = 0
        isKeeping = isKeeping.then(() => keeping.keep(task.id))
      }
      await isKeeping
    }
  }

  task.progress(progressOf(sql.totals.get({ audit: task.id })))
  const lanes = Array.from({ length: request.pagesAtOnce }, async () => {
    try {
      await visitSome()
    } catch (error) {
      failing.abort(error)
      throw error
    }
  })
  const ended = await Promise.allSettled(lanes)
  web.close()
  task.signal.throwIfAborted()
  const failed = ended.find((lane) => lane.status === 'rejected')
  if (failed) throw failing.signal.reason
}

/** With what a page is compared, or why with nothing; undefined: it is not to be. */
async function referenceIn(
  { archive, visiting, live, isOfAudit }: ReferenceParts,
  { request: { compareWith }, index, url }: Omit<Visits, 'task'> & { url: string },
): Promise<Reference | NotCompared | undefined> {
  if (compareWith === undefined) return undefined
  if (compareWith === 'crawlTime') return crawlTimeReference({ archive, index, isOfAudit }, url)
  if (compareWith === 'live') return live(url)
  const visit = await visiting.visit({ job: compareWith, url, widthPx: auditWidthPx })
  return visit.is === 'failed' ? visit.failure : referenceOf(visit.page)
}
