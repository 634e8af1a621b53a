/** Restores the results of page audits from the quality files of jobs: as one audit of the job, with the latest visit of each page. A job that has an
 *  audit needs nothing. */
import { againIfAsked } from '../../contract/calls/againIfAsked.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { pageAuditRequest } from '../../contract/services/pageAudits.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { pagesRestoredMax } from '../model/limits.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import type { RecordPlace } from '../records/readQualityFile.ts'
import { recordReading } from '../records/recordReading.ts'
import type { KeptParts } from './auditPage.ts'
import { endingOf, progressOf } from './auditResult.ts'
import type { pageAuditStatements, RestoredRow } from './pageAudits.sql.ts'
import { isPageRecordUri, recordedPage, type RecordedPage } from './pageRecord.ts'
import { parts as keptParts, type Part } from './workingFiles.ts'

/** What restoring needs. */
export interface RestoringParts {
  store: Store
  tasks: Tasks
  files: Pick<QualityFiles, 'records' | 'unreadable' | 'names' | 'mergedNames'>
  sql: ReturnType<typeof pageAuditStatements>
  isEngine: boolean
  /** Resolves when files of a lost database have been registered again. */
  ready: Promise<unknown>
  /** Takes a fault of a replica or of the disk that no caller waits for. */
  onProblem: (error: unknown) => void
}

/** Restoring while an engine runs. */
export interface Restoring {
  /** To be called when a job has ended: restores results from its quality files. Calls share the work; faults are reported. */
  restore(): Promise<void>
  /** Resolves when what was imported before the start has been restored. */
  begun: Promise<void>
  /** Resolves when what is being restored has become a task: to be called before the tasks are closed. */
  close(): Promise<void>
}

/** Begins to restore what was imported before the start. */
export function openRestoring(parts: RestoringParts): Restoring {
  const { isEngine, ready, onProblem } = parts
  const inTurn = oneAtATime()
  const restoreAll = auditRestoring(parts)
  const restore = againIfAsked(() => inTurn(() => restoreAll().catch(onProblem)))
  const begun = isEngine ? ready.then(restore) : Promise.resolve()
  return { restore, begun, close: () => inTurn(() => undefined) }
}

const allParts = Object.keys(keptParts) as Part[]

/** Returns the function that restores. */
export function auditRestoring(parts: Pick<RestoringParts, 'store' | 'tasks' | 'files' | 'sql'>): () => Promise<void> {
  const { tasks, sql } = parts
  let pages = new Map<string, Omit<RestoredRow, 'audit'>>()
  let leftOut = 0
  /** The last records before the one of a page: those of its pictures and text, if there are any. */
  const passed: (RecordPlace & { file: string })[] = []

  function keptOf(url: string, { file, offset }: { file: string; offset: number }): KeptParts {
    const found = allParts.flatMap((part): [Part, number][] => {
      const place = passed.findLast((each) => each.file === file && each.uri === keptParts[part].uri(url))
      return place ? [[part, place.offset]] : []
    })
    return { ...Object.fromEntries(found), pageInfo: offset }
  }

  function take(page: RecordedPage, place: { file: string; offset: number }): void {
    const earlier = pages.get(page.url)
    if (earlier === undefined && pages.size >= pagesRestoredMax) leftOut += 1
    else if (earlier === undefined || earlier.visitedMs <= page.visitedMs)
      pages.set(page.url, { ...page, file: place.file, kept: JSON.stringify(keptOf(page.url, place)) })
  }

  function restore(job: number): void {
    tasks.begin(
      'pageAudit',
      {
        ...{ subject: message('pageAudit.restoredSubject', { job }), startedBy: 'recovery', stage: 'storing' },
        record(audit) {
          sql.addRestored.run({ audit, job, request: JSON.stringify(pageAuditRequest.parse({ job })), leftOut })
          for (const page of pages.values()) sql.addPage.run({ ...page, audit })
        },
      },
      async (task) => {
        const totals = sql.totals.get({ audit: task.id })
        task.progress(progressOf(totals))
        return endingOf(totals)
      },
    )
  }

  return recordReading(parts, {
    ...{ kind: 'pageAudit', wanted: isPageRecordUri, readsMerged: true },
    begin(job) {
      pages = new Map()
      leftOut = 0
      passed.length = 0
      return sql.ofJob.all({ job }).length === 0
    },
    onPassed(place) {
      passed.push(place)
      if (passed.length > allParts.length) passed.shift()
    },
    read(record) {
      const page = recordedPage(record)
      if (page) take(page, record)
      passed.length = 0
      return true
    },
    end(job) {
      if (pages.size > 0) restore(job)
      pages = new Map()
    },
  })
}
