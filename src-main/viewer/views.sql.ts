/** The statements of `views.ts` over the tables `view` and `miss`. */
import type { Store } from '../storage/storage.ts'

export interface MissRow {
  id: number
  view: number
  /** JSON list of the jobs that the view shows. */
  jobs: string
  url: string
  referrer: string
  method: string
  times: number
  firstMs: number
  lastMs: number
}

export interface MissKey {
  view: number
  url: string
  referrer: string
  method: string
}

export function viewStatements(store: Store) {
  return {
    findView: store.statement<{ jobs: string; atMs: number | null }, { id: number }>(
      `SELECT id FROM view WHERE jobs = @jobs AND at_ms IS @atMs ORDER BY id DESC LIMIT 1`,
    ),
    addView: store.statement<{ jobs: string; atMs: number | null; nowMs: number }, { id: number }>(
      `INSERT INTO view (jobs, at_ms, created_ms) VALUES (@jobs, @atMs, @nowMs) RETURNING id`,
    ),
    /** Uses the unique index of `miss`. */
    repeatMiss: store.statement<MissKey & { lastMs: number; times: number }>(
      `UPDATE miss SET times = times + @times, last_ms = max(last_ms, @lastMs)
       WHERE view_id = @view AND url = @url AND referrer = @referrer AND method = @method`,
    ),
    addMiss: store.statement<MissKey & { firstMs: number; lastMs: number; times: number }>(
      `INSERT INTO miss (view_id, url, referrer, method, first_ms, last_ms, times)
       VALUES (@view, @url, @referrer, @method, @firstMs, @lastMs, @times)`,
    ),
    countMisses: store.statement<{ view: number }, { misses: number }>(
      `SELECT count(*) AS misses FROM miss WHERE view_id = @view`,
    ),
    listMisses: store.statement<{ view: number | null }, MissRow>(
      `SELECT miss.id, miss.view_id AS view, view.jobs, miss.url, miss.referrer, miss.method, miss.times,
              miss.first_ms AS firstMs, miss.last_ms AS lastMs
       FROM miss JOIN view ON view.id = miss.view_id WHERE @view IS NULL OR miss.view_id = @view ORDER BY miss.id`,
    ),
    clearMisses: store.statement<{ view: number | null }>(`DELETE FROM miss WHERE @view IS NULL OR view_id = @view`),
  }
}
