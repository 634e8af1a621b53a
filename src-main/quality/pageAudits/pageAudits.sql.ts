/** SQL statements about page audits and their pages. */
import type { AuditedPageOrder, AuditFailure, FaultyResource, NotCompared } from '../../contract/services/pageAudits.ts'
import type { VerdictValue } from '../../contract/services/verdicts.ts'
import { auditedPageStates, type AuditedPageState } from '../../contract/states/auditedPageStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { fullRisk } from './risk.ts'

/** A row of the table `page_audit`. */
export interface AuditRow {
  audit: number
  job: number
  /** JSON. */
  request: string
  isListed: number
  leftOut: number
  isRestored: number
}

/** Lists of a page. */
export interface PageLists {
  missingResources: FaultyResource[]
  badResources: FaultyResource[]
  consoleMessages: string[]
}

/** What is written of a page when it was visited. */
export interface VisitedRow {
  id: number
  visitedMs: number
  status: number | null
  title: string
  risk: number
  good: number
  bad: number
  missing: number
  consoleErrors: number
  textCharacters: number
  pixelDifference: number | null
  textDifference: number | null
  notCompared: NotCompared | null
  isLoaded: number
  isCut: number
  /** JSON, `PageLists`. */
  details: string
  /** JSON, `KeptParts`. */
  kept: string
}

/** A row of the table `page_audit_page`. */
export interface PageRow extends Omit<VisitedRow, 'visitedMs'> {
  audit: number
  job: number
  url: string
  state: AuditedPageState
  failure: string | null
  visitedMs: number | null
  file: string | null
  verdict: VerdictValue | null
  note: string
}

/** A page whose result was read from a file of its job. */
export interface RestoredRow extends Omit<VisitedRow, 'id'> {
  audit: number
  url: string
  state: 'DONE' | 'FAILED'
  failure: AuditFailure | null
  file: string
}

/** Sums over the pages of an audit. */
export interface Totals {
  total: number
  done: number
  faulty: number
  good: number
  bad: number
  missing: number
  consoleErrors: number
  failed: number
}

const opened = moveSql(auditedPageStates, 'opened')
const visited = moveSql(auditedPageStates, 'visited')
const failed = moveSql(auditedPageStates, 'failed')
const interrupted = moveSql(auditedPageStates, 'interrupted')

const isFaulty = `(state = 'FAILED' OR state = 'DONE' AND (missing > 0 OR bad > 0 OR console_errors > 0 OR status >= 400))`

const pageColumns = `page_audit_page.id, audit_id AS audit, page_audit.job_id AS job, page_audit_page.url, state, failure, visited_ms AS visitedMs, status, title, risk,
  good, bad, missing, console_errors AS consoleErrors, text_characters AS textCharacters, pixel_difference AS pixelDifference,
  text_difference AS textDifference, not_compared AS notCompared, is_loaded AS isLoaded, is_cut AS isCut, details, kept, file, verdict, COALESCE(note, '') AS note`
const pages = `page_audit_page JOIN page_audit ON page_audit.task_id = audit_id
  LEFT JOIN page_verdict ON page_verdict.job_id = page_audit.job_id AND page_verdict.url = page_audit_page.url`

const orderColumns: Record<AuditedPageOrder, string> = {
  risk: 'risk',
  url: 'page_audit_page.url',
  missing: 'missing',
  bad: 'bad',
  consoleErrors: 'console_errors',
  textCharacters: 'text_characters',
  pixelDifference: 'pixel_difference',
  textDifference: 'text_difference',
}

/** Values of the filter of a list: text '', isFaulty 0 and isUnjudged 0 select all. */
export interface PagesFilter {
  audit: number
  text: string
  isFaulty: number
  isUnjudged: number
}

const chosen = `audit_id = @audit AND (@text = '' OR instr(lower(page_audit_page.url || ' ' || title), lower(@text)) > 0)
  AND (@isFaulty = 0 OR ${isFaulty}) AND (@isUnjudged = 0 OR verdict IS NULL)`

/** Prepares the statements. */
export function pageAuditStatements(store: Store) {
  return {
    add: store.statement<Pick<AuditRow, 'audit' | 'job' | 'request'>>(
      `INSERT INTO page_audit (task_id, job_id, request) VALUES (@audit, @job, @request)`,
    ),
    /** `urls` is a JSON list. */
    addPages: store.statement<{ audit: number; urls: string }>(
      `INSERT INTO page_audit_page (audit_id, url, state) SELECT @audit, value, '${auditedPageStates.initial}' FROM json_each(@urls)`,
    ),
    addRestored: store.statement<{ audit: number; job: number; request: string; leftOut: number }>(
      `INSERT INTO page_audit (task_id, job_id, request, is_listed, left_out, is_restored) VALUES (@audit, @job, @request, 1, @leftOut, 1)`,
    ),
    addPage: store.statement<RestoredRow>(
      `INSERT INTO page_audit_page (audit_id, url, state, failure, visited_ms, status, title, risk, good, bad, missing, console_errors,
         text_characters, pixel_difference, text_difference, not_compared, is_loaded, is_cut, details, kept, file)
       VALUES (@audit, @url, @state, @failure, @visitedMs, @status, @title, @risk, @good, @bad, @missing, @consoleErrors,
         @textCharacters, @pixelDifference, @textDifference, @notCompared, @isLoaded, @isCut, @details, @kept, @file)`,
    ),
    setListed: store.statement<{ audit: number; leftOut: number }>(
      `UPDATE page_audit SET is_listed = 1, left_out = @leftOut WHERE task_id = @audit`,
    ),
    one: store.statement<{ audit: number }, AuditRow>(
      `SELECT task_id AS audit, job_id AS job, request, is_listed AS isListed, left_out AS leftOut, is_restored AS isRestored FROM page_audit WHERE task_id = @audit`,
    ),
    ofJob: store.statement<{ job: number }, { audit: number }>(
      `SELECT task_id AS audit FROM page_audit WHERE job_id = @job ORDER BY task_id DESC`,
    ),
    files: store.statement<{ audit: number }, { file: string }>(
      `SELECT DISTINCT file FROM page_audit_page WHERE audit_id = @audit AND file IS NOT NULL ORDER BY file`,
    ),
    /** The next page to open. */
    open: store.statement<{ audit: number }, { id: number; url: string }>(
      `UPDATE page_audit_page SET ${opened.set} WHERE id =
         (SELECT id FROM page_audit_page INDEXED BY page_audit_page_by_state
          WHERE audit_id = @audit AND state = 'QUEUED' ORDER BY id LIMIT 1) AND ${opened.from} RETURNING id, url`,
    ),
    requeue: store.statement<{ audit: number }>(
      `UPDATE page_audit_page SET ${interrupted.set} WHERE audit_id = @audit AND ${interrupted.from}`,
    ),
    visited: store.statement<VisitedRow>(
      `UPDATE page_audit_page SET ${visited.set}, visited_ms = @visitedMs, status = @status, title = @title, risk = @risk, good = @good,
         bad = @bad, missing = @missing, console_errors = @consoleErrors, text_characters = @textCharacters,
         pixel_difference = @pixelDifference, text_difference = @textDifference, not_compared = @notCompared, is_loaded = @isLoaded, is_cut = @isCut,
         details = @details, kept = @kept WHERE id = @id AND ${visited.from}`,
    ),
    failed: store.statement<{ id: number; failure: string; visitedMs: number; kept: string }>(
      `UPDATE page_audit_page SET ${failed.set}, failure = @failure, risk = ${fullRisk}, visited_ms = @visitedMs,
         kept = @kept WHERE id = @id AND ${failed.from}`,
    ),
    totals: store.statement<{ audit: number }, Totals>(
      `SELECT COUNT(*) AS total, COUNT(*) FILTER (WHERE state IN ('DONE', 'FAILED')) AS done, COUNT(*) FILTER (WHERE ${isFaulty}) AS faulty,
         COALESCE(SUM(good), 0) AS good, COALESCE(SUM(bad), 0) AS bad, COALESCE(SUM(missing), 0) AS missing,
         COALESCE(SUM(console_errors), 0) AS consoleErrors, COUNT(*) FILTER (WHERE state = 'FAILED') AS failed
       FROM page_audit_page WHERE audit_id = @audit`,
    ),
    /** Pages whose records are not in a WARC file yet, in their order. */
    unkept: store.statement<{ audit: number; limit: number }, PageRow>(
      `SELECT ${pageColumns} FROM ${pages} WHERE audit_id = @audit AND state IN ('DONE', 'FAILED') AND file IS NULL
       ORDER BY page_audit_page.id LIMIT @limit`,
    ),
    kept: store.statement<{ id: number; file: string; kept: string }>(
      `UPDATE page_audit_page SET file = @file, kept = @kept WHERE id = @id`,
    ),
    page: store.statement<{ id: number }, PageRow>(
      `SELECT ${pageColumns} FROM ${pages} WHERE page_audit_page.id = @id`,
    ),
    /** A visit of the page that has a picture or text at this place. Uses page_audit_page_by_url. */
    keptAt: store.statement<{ url: string; file: string; offset: number }, { id: number }>(
      `SELECT page_audit_page.id FROM page_audit_page, json_each(kept) WHERE url = @url AND state = 'DONE' AND file = @file AND value = @offset LIMIT 1`,
    ),
    /** The last visit of a page of a job. Uses page_audit_page_by_url. */
    lastVisit: store.statement<{ job: number; url: string }, PageRow>(
      `SELECT ${pageColumns} FROM ${pages} WHERE page_audit_page.url = @url AND state = 'DONE' AND page_audit.job_id = @job ORDER BY page_audit_page.id DESC LIMIT 1`,
    ),
    count: store.statement<PagesFilter, { total: number }>(`SELECT COUNT(*) AS total FROM ${pages} WHERE ${chosen}`),
  }
}

/** The statement that lists pages in one order. Rows that are equal in it are in the order of their URLs. */
export function pageListStatement(store: Store, sort: AuditedPageOrder, descending: boolean) {
  const column = orderColumns[sort]
  return store.statement<PagesFilter & { offset: number; limit: number }, PageRow>(
    `SELECT ${pageColumns} FROM ${pages} WHERE ${chosen}
     ORDER BY ${column} IS NULL, ${column} ${descending ? 'DESC' : 'ASC'}, page_audit_page.url LIMIT @limit OFFSET @offset`,
  )
}
