/** SQL statements of `views.ts` and `findings.ts`, over the tables `view` and `view_finding`. */
import type { Store } from '../../storage/storage.ts'

/** Kinds of findings. */
export type FindingKind = 'missing' | 'archivedError' | 'unreadable'

/** A row of the table `view`. */
export interface ViewRow {
  id: number
  /** JSON lists of job numbers and file names that the view shows. */
  jobs: string
  files: string
  /** 1: the view shows the whole archive. */
  isAll: 0 | 1
  moment: 'newest' | 'oldest' | 'nearest'
  atMs: number | null
  withinMs: number | null
  isExact: 0 | 1
  /** JSON list of the numbers of patch jobs that are shown over the jobs. */
  overlays: string
  name: string | null
}

/** A list of findings. Each viewing has its own list per view. */
export interface FindingList {
  /** User name of the viewing. '' is the interface's viewing. */
  viewing: string
  view: number
}

/** The columns by which equal findings are merged. */
export interface FindingKey extends FindingList {
  kind: FindingKind
  url: string
  referrer: string
  method: string
}

/** The columns in which a repeated finding replaces the earlier one. */
export interface FindingDetail {
  initiator: string
  resourceType: string
  status: number | null
  file: string | null
  offset: number | null
  detail: string | null
}

/** A row of the table `view_finding`. Times are milliseconds since 1970 UTC. */
export interface FindingRow extends FindingKey, FindingDetail {
  id: number
  times: number
  firstMs: number
  lastMs: number
}

/** Columns of a view under the names of `ViewRow`. */
const viewColumns = `id, jobs, files, is_all AS isAll, moment, at_ms AS atMs, within_ms AS withinMs, is_exact AS isExact, overlays, name`

/** Prepares the statements. */
export function viewStatements(store: Store) {
  return {
    findView: store.statement<Omit<ViewRow, 'id' | 'name'>, ViewRow>(
      `SELECT ${viewColumns} FROM view WHERE jobs = @jobs AND files = @files AND is_all = @isAll
         AND moment = @moment AND at_ms IS @atMs AND within_ms IS @withinMs AND is_exact = @isExact
         AND overlays = @overlays ORDER BY id DESC LIMIT 1`,
    ),
    addView: store.statement<Omit<ViewRow, 'id' | 'name'> & { nowMs: number }, ViewRow>(
      `INSERT INTO view (jobs, files, is_all, moment, at_ms, within_ms, is_exact, overlays, created_ms)
       VALUES (@jobs, @files, @isAll, @moment, @atMs, @withinMs, @isExact, @overlays, @nowMs)
       RETURNING ${viewColumns}`,
    ),
    named: store.statement<object, ViewRow & { name: string }>(
      `SELECT ${viewColumns} FROM view WHERE name IS NOT NULL ORDER BY name`,
    ),
    setName: store.statement<{ view: number; name: string }>(`UPDATE view SET name = @name WHERE id = @view`),
    dropName: store.statement<{ name: string }>(`UPDATE view SET name = NULL WHERE name = @name`),
    nameOf: store.statement<{ view: number }, { name: string | null }>(`SELECT name FROM view WHERE id = @view`),

    selectionOf: store.statement<{ view: number }, Pick<ViewRow, 'jobs' | 'files' | 'isAll' | 'overlays'>>(
      `SELECT jobs, files, is_all AS isAll, overlays FROM view WHERE id = @view`,
    ),
    /** Uses the unique index of `view_finding`. */
    repeat: store.statement<FindingKey & FindingDetail & { lastMs: number; times: number }>(
      `UPDATE view_finding SET times = times + @times, last_ms = max(last_ms, @lastMs), initiator = @initiator,
              resource_type = @resourceType, status = @status, file = @file, offset = @offset, detail = @detail
       WHERE viewing = @viewing AND view_id = @view AND kind = @kind AND url = @url AND referrer = @referrer AND method = @method`,
    ),
    add: store.statement<FindingKey & FindingDetail & { firstMs: number; lastMs: number; times: number }>(
      `INSERT INTO view_finding (viewing, view_id, kind, url, referrer, method, initiator, resource_type, status, file, offset, detail,
                                 first_ms, last_ms, times)
       VALUES (@viewing, @view, @kind, @url, @referrer, @method, @initiator, @resourceType, @status, @file, @offset, @detail,
               @firstMs, @lastMs, @times)`,
    ),
    /** Uses the unique index of `view_finding`. */
    count: store.statement<FindingList, { misses: number; errors: number }>(
      `SELECT count(*) FILTER (WHERE kind = 'missing') AS misses, count(*) FILTER (WHERE kind <> 'missing') AS errors
       FROM view_finding WHERE viewing = @viewing AND view_id = @view`,
    ),
    /** Uses the unique index of `view_finding`. `isMiss`: 1 lists missing URLs, 0 lists errors. */
    list: store.statement<FindingList & { isMiss: number }, FindingRow>(
      `SELECT id, viewing, view_id AS view, kind, url, referrer, method, initiator, resource_type AS resourceType,
              status, file, offset, detail, times, first_ms AS firstMs, last_ms AS lastMs
       FROM view_finding WHERE viewing = @viewing AND view_id = @view AND (kind = 'missing') = @isMiss ORDER BY id`,
    ),
    clear: store.statement<FindingList>(`DELETE FROM view_finding WHERE viewing = @viewing AND view_id = @view`),
    clearViewing: store.statement<{ viewing: string }>(`DELETE FROM view_finding WHERE viewing = @viewing`),
    /** Uses the unique index of `view_finding`. */
    anyOf: store.statement<{ viewing: string }, { found: 1 }>(
      `SELECT 1 AS found FROM view_finding WHERE viewing = @viewing LIMIT 1`,
    ),
    /** Deletes the lists of all viewings except the interface's. */
    clearOwn: store.statement<object>(`DELETE FROM view_finding WHERE viewing > ''`),
  }
}
