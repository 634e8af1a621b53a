/** SQL statements about misses, their pages, and the rules that ignore them. */
import type { JobMiss, MissGroup, MissOrder } from '../../contract/services/misses.ts'
import { missStates, type MissState } from '../../contract/states/missStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { groupsMax, pagesPerMissMax } from '../model/limits.ts'

/** A row of the table `miss` as it is listed. Times are milliseconds since 1970 UTC. */
export interface MissRow {
  id: number
  job: number
  url: string
  host: string
  path: string
  type: string
  source: JobMiss['source']
  state: MissState
  reason: string
  note: string
  ignoredBy: string | null
  patchJob: number | null
  /** JSON list of URLs. */
  pages: string
  firstMs: number
  lastMs: number
  times: number
}

/** A miss to add, or to count once more. */
export interface NewMiss extends Pick<MissRow, 'job' | 'url' | 'host' | 'path' | 'type' | 'source' | 'reason'> {
  key: Uint8Array
  firstMs: number
  lastMs: number
  times: number
}

/** A filter as it is bound: null selects all. `jobs`: JSON list. */
export interface BoundFilter {
  jobs: string
  text: string | null
  host: string | null
  path: string | null
  type: string | null
  reason: string | null
  page: string | null
  state: string | null
}

/** A rule with the number of misses that it ignores. */
export interface RuleRow {
  rule: number
  job: number
  pattern: string
  misses: number
  createdMs: number
}

const chosen = `
  miss.job_id IN (SELECT value FROM json_each(@jobs))
  AND (@text IS NULL OR instr(miss.url, @text) > 0) AND (@host IS NULL OR miss.host = @host)
  AND (@path IS NULL OR miss.path = @path) AND (@type IS NULL OR miss.resource_type = @type)
  AND (@reason IS NULL OR miss.reason = @reason) AND (@state IS NULL OR miss.state = @state)
  AND (@page IS NULL OR EXISTS (SELECT 1 FROM miss_page WHERE miss_id = miss.id AND miss_page.url = @page))`

const orders: Record<MissOrder, string> = {
  url: 'miss.url',
  host: 'miss.host',
  type: 'miss.resource_type',
  reason: 'miss.reason',
  state: 'miss.state',
  times: 'miss.times',
  last: 'miss.last_ms',
}

const groups: Record<MissGroup, { value: string; from: string }> = {
  host: { value: 'miss.host', from: 'miss' },
  path: { value: 'miss.path', from: 'miss' },
  type: { value: 'miss.resource_type', from: 'miss' },
  reason: { value: 'miss.reason', from: 'miss' },
  state: { value: 'miss.state', from: 'miss' },
  page: { value: 'wanting.url', from: 'miss JOIN miss_page AS wanting ON wanting.miss_id = miss.id' },
}

type Listed = BoundFilter & { limit: number; offset: number }

/** Prepares the statements that list misses in an order. */
export function missListStatements(store: Store, { sort, descending }: { sort: MissOrder; descending: boolean }) {
  return {
    list: store.statement<Listed, MissRow>(
      `SELECT miss.id, miss.job_id AS job, miss.url, miss.host, miss.path, miss.resource_type AS type, miss.source, miss.state, miss.reason,
              miss.note, miss_rule.pattern AS ignoredBy, miss.patch_job AS patchJob, miss.first_ms AS firstMs, miss.last_ms AS lastMs,
              miss.times, (SELECT json_group_array(url) FROM miss_page WHERE miss_id = miss.id) AS pages
       FROM miss LEFT JOIN miss_rule ON miss_rule.id = miss.rule_id
       WHERE ${chosen} ORDER BY ${orders[sort]} ${descending ? 'DESC' : 'ASC'}, miss.id LIMIT @limit OFFSET @offset`,
    ),
    total: store.statement<BoundFilter, { total: number }>(`SELECT COUNT(*) AS total FROM miss WHERE ${chosen}`),
  }
}

/** Prepares the statement that groups misses. */
export function missGroupStatement(store: Store, by: MissGroup) {
  const { value, from } = groups[by]
  return store.statement<BoundFilter, { value: string; misses: number }>(
    `SELECT ${value} AS value, COUNT(*) AS misses FROM ${from} WHERE ${chosen} GROUP BY 1 ORDER BY misses DESC, 1 LIMIT ${groupsMax}`,
  )
}

const [ignored, restored, solved, missedAgain] = (['ignored', 'restored', 'solved', 'missedAgain'] as const).map(
  (event) => moveSql(missStates, event),
)
const matching = `(SELECT id FROM miss_rule WHERE miss_rule.job_id = miss.job_id AND miss.url REGEXP miss_rule.pattern ORDER BY id LIMIT 1)`

/** Prepares the statements that add, change and count misses. */
export function missStatements(store: Store) {
  return {
    countOf: store.statement<{ job: number }, { misses: number }>(
      `SELECT COUNT(*) AS misses FROM miss WHERE job_id = @job`,
    ),
    known: store.statement<{ job: number; key: Uint8Array }, { id: number; patchJob: number | null }>(
      `SELECT id, patch_job AS patchJob FROM miss WHERE job_id = @job AND url_key = @key`,
    ),
    add: store.statement<NewMiss, { id: number }>(
      `INSERT INTO miss (job_id, url_key, url, host, path, resource_type, source, state, reason, first_ms, last_ms, times)
       VALUES (@job, @key, @url, @host, @path, @type, @source, '${missStates.initial}', @reason, @firstMs, @lastMs, @times) RETURNING id`,
    ),
    /** A known type is kept where the new one is unknown. */
    repeat: store.statement<Pick<NewMiss, 'type' | 'reason' | 'lastMs' | 'times'> & { id: number }>(
      `UPDATE miss SET times = times + @times, last_ms = max(last_ms, @lastMs), reason = @reason,
              resource_type = CASE WHEN @type = '' THEN resource_type ELSE @type END WHERE id = @id`,
    ),
    missedAgain: store.statement<{ id: number }>(
      `UPDATE miss SET ${missedAgain?.set}, patch_job = NULL WHERE id = @id AND ${missedAgain?.from}`,
    ),
    addPage: store.statement<{ id: number; page: string }>(
      `INSERT OR IGNORE INTO miss_page (miss_id, url)
       SELECT @id, @page WHERE (SELECT COUNT(*) FROM miss_page WHERE miss_id = @id) < ${pagesPerMissMax}`,
    ),
    /** Ignores one miss if a rule of its job matches. */
    ignoreMatching: store.statement<{ id: number }>(
      `UPDATE miss SET ${ignored?.set}, rule_id = ${matching} WHERE id = @id AND ${ignored?.from} AND ${matching} IS NOT NULL`,
    ),
    /** Misses that a later run or a patch job may have captured, in the order of their ids. */
    unsolved: store.statement<
      { job: number; after: number; limit: number },
      { id: number; url: string; reason: string }
    >(
      `SELECT id, url, reason FROM miss WHERE job_id = @job AND state <> 'SOLVED' AND id > @after ORDER BY id LIMIT @limit`,
    ),
    /** Uses miss_by_state. */
    inPatch: store.statement<{ job: number }, { id: number; url: string; patchJob: number | null }>(
      `SELECT id, url, patch_job AS patchJob FROM miss WHERE job_id = @job AND state = 'PATCHING'`,
    ),
    solve: store.statement<{ id: number }>(
      `UPDATE miss SET ${solved?.set}, rule_id = NULL WHERE id = @id AND ${solved?.from}`,
    ),
    setReason: store.statement<{ id: number; reason: string }>(`UPDATE miss SET reason = @reason WHERE id = @id`),
    note: store.statement<{ ids: string; note: string }>(
      `UPDATE miss SET note = @note WHERE id IN (SELECT value FROM json_each(@ids))`,
    ),
    jobsWithMisses: store.statement<object, { job: number; name: string; open: number; total: number }>(
      `SELECT miss.job_id AS job, harvest.name, COUNT(*) FILTER (WHERE miss.state = 'OPEN') AS open, COUNT(*) AS total
       FROM miss JOIN job ON job.id = miss.job_id JOIN harvest ON harvest.id = job.harvest_id GROUP BY miss.job_id ORDER BY miss.job_id DESC`,
    ),
    readingOf: store.statement<{ job: number }, { endedMs: number }>(
      `SELECT ended_ms AS endedMs FROM miss_reading WHERE job_id = @job`,
    ),
    setReading: store.statement<{ job: number; endedMs: number }>(
      `INSERT INTO miss_reading (job_id, ended_ms) VALUES (@job, @endedMs)
       ON CONFLICT (job_id) DO UPDATE SET ended_ms = excluded.ended_ms`,
    ),
  }
}

const ruleColumns = `miss_rule.id AS rule, miss_rule.job_id AS job, pattern, created_ms AS createdMs,
  (SELECT COUNT(*) FROM miss WHERE rule_id = miss_rule.id) AS misses`

/** Prepares the statements about ignore rules. */
export function missRuleStatements(store: Store) {
  return {
    add: store.statement<{ job: number; pattern: string; nowMs: number }>(
      `INSERT OR IGNORE INTO miss_rule (job_id, pattern, created_ms) VALUES (@job, @pattern, @nowMs)`,
    ),
    named: store.statement<{ job: number; pattern: string }, RuleRow>(
      `SELECT ${ruleColumns} FROM miss_rule WHERE job_id = @job AND pattern = @pattern`,
    ),
    one: store.statement<{ rule: number }, RuleRow>(`SELECT ${ruleColumns} FROM miss_rule WHERE id = @rule`),
    list: store.statement<{ jobs: string }, RuleRow>(
      `SELECT ${ruleColumns} FROM miss_rule WHERE job_id IN (SELECT value FROM json_each(@jobs)) ORDER BY id`,
    ),
    ignore: store.statement<{ rule: number; job: number; pattern: string }>(
      `UPDATE miss SET ${ignored?.set}, rule_id = @rule WHERE job_id = @job AND ${ignored?.from} AND url REGEXP @pattern`,
    ),
    restore: store.statement<{ rule: number }>(
      `UPDATE miss SET ${restored?.set}, rule_id = NULL WHERE rule_id = @rule AND ${restored?.from}`,
    ),
    /** After rules were removed: another one may match what the removed one ignored. */
    ignoreAll: store.statement<{ job: number }>(
      `UPDATE miss SET ${ignored?.set}, rule_id = ${matching} WHERE job_id = @job AND ${ignored?.from} AND ${matching} IS NOT NULL`,
    ),
    remove: store.statement<{ rule: number }>(`DELETE FROM miss_rule WHERE id = @rule`),
  }
}
