/** SQL statements of live control. Those for requests of the user run in a separate thread and may take long; those of a running
 *  job touch few rows. */
import { documentStates, settledDocumentStates } from '../../contract/states/documentStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { JobState } from '../../contract/states/jobStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { isFetching, isInProgress, isWaiting } from '../model/documentSets.ts'

/** A job, as far as live control needs it. */
export interface JobInControl {
  state: JobState
  kind: 'event' | 'import'
  priority: number
}

/** A document of the queue. */
export interface WaitingRow {
  id: number
  url: string
}

/** The budget of a domain in a run; null means unlimited. */
export interface BudgetRow {
  domain: string
  objectsMax: number | null
  bytesMax: number | null
}

/** Documents and bytes fetched from a domain in a run. */
export interface UseRow {
  objects: number
  bytes: number
}

const dropped = moveSql(documentStates, 'dropped')
const settled = moveSql(documentStates, 'settled')
const rediscovered = moveSql(documentStates, 'rediscovered')
const inputsChanged = moveSql(documentStates, 'inputsChanged')

/** Assignments that exclude a document. Its former outcome in this run must be subtracted from the counters by the caller. */
const leftOut = `outcome = 'excluded', reason = @reason, detail = @detail, priority = NULL, needs_priority = 0, lift = 0`
const waitsAgain = `outcome = NULL, reason = NULL, detail = NULL, due_ms = @nowMs, check_action = 'rescan', attempts = 0,
  priority = NULL, needs_priority = 1`
const hasCapture = `EXISTS (SELECT 1 FROM capture WHERE capture.document_id = document.id)`
const wasLeftOut = `job_id = @job AND outcome = 'excluded' AND reason = @reason`
/** Condition: the document is excluded. A continuous job checks excluded documents again, so they may wait for that. */
const isLeftOut = `${wasLeftOut} AND ${stateIn(settledDocumentStates)}`
const ofDomain = `host_id IN (SELECT id FROM host WHERE job_id = @job AND domain = @domain)`

interface LeftOut {
  job: number
  reason: string
}

/** Prepares the statements for changes and for the run. */
export function liveStatements(store: Store) {
  return {
    ...controlStatements(store),
    ...queueChoiceStatements(store),
    ...exclusionStatements(store),
    ...restoreStatements(store),
    ...ruleStatements(store),
    ...domainStatements(store),
    ...hostStatements(store),
  }
}

/** Prepares the statements about the job that a user controls. */
function controlStatements(store: Store) {
  return {
    job: store.statement<{ job: number }, JobInControl>(
      `SELECT job.state, harvest.kind, job.priority FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE job.id = @job`,
    ),
    version: store.statement<{ job: number }, { version: number }>(
      `SELECT live_version AS version FROM job WHERE id = @job`,
    ),
    changed: store.statement<{ job: number }>(`UPDATE job SET live_version = live_version + 1 WHERE id = @job`),
    setPriority: store.statement<{ job: number; priority: number }>(
      `UPDATE job SET priority = @priority WHERE id = @job AND priority <> @priority`,
    ),
  }
}

/** Prepares the statements that select waiting documents and documents in progress. */
function queueChoiceStatements(store: Store) {
  return {
    /** One batch of the waiting documents, in the order in which they were found, without robots.txt. */
    waiting: store.statement<{ job: number; after: number; limit: number }, WaitingRow>(
      `SELECT id, url FROM document INDEXED BY document_by_job
       WHERE job_id = @job AND id > @after AND ${isWaiting} AND role <> 'robots' ORDER BY id LIMIT @limit`,
    ),
    inProgress: store.statement<{ job: number }, WaitingRow>(
      `SELECT id, url FROM document INDEXED BY document_in_progress
       WHERE job_id = @job AND ${isInProgress} AND ${isFetching} AND role <> 'robots' ORDER BY id`,
    ),
    outcomes: store.statement<{ ids: string }, { outcome: 'fetched' | 'failed' | 'excluded'; documents: number }>(
      `SELECT outcome, COUNT(*) AS documents FROM document
       WHERE id IN (SELECT value FROM json_each(@ids)) AND ${isWaiting} AND outcome IS NOT NULL GROUP BY outcome`,
    ),
    lift: store.statement<{ ids: string; lift: number }>(
      `UPDATE document SET lift = @lift, priority = NULL, needs_priority = 1
       WHERE id IN (SELECT value FROM json_each(@ids)) AND ${isWaiting}`,
    ),
  }
}

/** Prepares the statements that exclude documents. One in progress is marked, and excluded when its fetch has ended. */
function exclusionStatements(store: Store) {
  return {
    drop: store.statement<{ ids: string; reason: string; detail: string }, { id: number }>(
      `UPDATE document SET ${dropped.set}, ${leftOut} WHERE id IN (SELECT value FROM json_each(@ids)) AND ${isWaiting} RETURNING id`,
    ),
    /** Like `drop`, for documents that the run itself excludes. */
    spend: store.statement<{ ids: string; reason: string; detail: string }>(
      `UPDATE document SET ${settled.set}, ${leftOut} WHERE id IN (SELECT value FROM json_each(@ids)) AND ${isWaiting}`,
    ),
    markInProgress: store.statement<{ ids: string; detail: string }>(
      `UPDATE document SET left_out = @detail WHERE id IN (SELECT value FROM json_each(@ids)) AND ${isInProgress}`,
    ),
    markOf: store.statement<{ id: number }, { detail: string | null }>(
      `SELECT left_out AS detail FROM document WHERE id = @id`,
    ),
    /** Documents that were marked while in progress and are waiting again. Uses document_left_out. */
    markedWaiting: store.statement<{ job: number }, { id: number; detail: string }>(
      `SELECT id, left_out AS detail FROM document WHERE job_id = @job AND left_out IS NOT NULL AND ${isWaiting}`,
    ),
    unmark: store.statement<{ job: number }>(
      `UPDATE document SET left_out = NULL WHERE job_id = @job AND left_out IS NOT NULL`,
    ),
  }
}

/** Prepares the statements that count excluded documents and queue them again. */
function restoreStatements(store: Store) {
  return {
    /** The documents that are excluded for this reason and detail. */
    keptOut: store.statement<LeftOut & { detail: string; limit: number }, { url: string }>(
      `SELECT url FROM document WHERE ${isLeftOut} AND detail = @detail ORDER BY id LIMIT @limit`,
    ),
    keptOutCount: store.statement<LeftOut & { detail: string }, { documents: number }>(
      `SELECT COUNT(*) AS documents FROM document WHERE ${isLeftOut} AND detail = @detail`,
    ),
    /** One excluded document of each host whose robots.txt has not been requested. */
    restoredHosts: store.statement<LeftOut & { detail: string }, { url: string; hopPath: string; via: number | null }>(
      `SELECT url, hop_path AS hopPath, via_id AS via FROM document WHERE id IN (
         SELECT MIN(id) FROM document WHERE ${isLeftOut} AND detail = @detail
         AND host_id IN (SELECT id FROM host WHERE job_id = @job AND robots_state = 'UNKNOWN') GROUP BY host_id)`,
    ),
    /** Queues excluded documents: `restore` those without a capture, `restoreCaptured` those with one. */
    restore: store.statement<LeftOut & { detail: string; nowMs: number }>(
      `UPDATE document SET ${rediscovered.set}, ${waitsAgain}
       WHERE ${wasLeftOut} AND state = 'COMPLETE' AND detail = @detail AND NOT ${hasCapture}`,
    ),
    restoreCaptured: store.statement<LeftOut & { detail: string; nowMs: number }>(
      `UPDATE document SET ${inputsChanged.set}, ${waitsAgain}
       WHERE ${wasLeftOut} AND state = 'COMPLETE' AND detail = @detail AND ${hasCapture}`,
    ),
    /** Makes excluded documents that wait for their next check due now. */
    restoreWaiting: store.statement<LeftOut & { detail: string; nowMs: number }>(
      `UPDATE document SET ${waitsAgain} WHERE ${wasLeftOut} AND state = 'PENDINGPURGATORY' AND detail = @detail`,
    ),
    /** Clears the outcome of excluded documents that are being checked right now. */
    restoreInProgress: store.statement<LeftOut & { detail: string }>(
      `UPDATE document SET outcome = NULL, reason = NULL, detail = NULL WHERE ${wasLeftOut} AND ${isInProgress} AND detail = @detail`,
    ),
  }
}

/** Prepares the statements about the rules and budgets of a run. */
function ruleStatements(store: Store) {
  return {
    rules: store.statement<{ job: number }, { id: number; pattern: string; addedMs: number }>(
      `SELECT id, pattern, added_ms AS addedMs FROM reject_rule WHERE job_id = @job ORDER BY id`,
    ),
    addRule: store.statement<{ job: number; pattern: string; nowMs: number }>(
      `INSERT INTO reject_rule (job_id, pattern, added_ms) VALUES (@job, @pattern, @nowMs) ON CONFLICT DO NOTHING`,
    ),
    removeRule: store.statement<{ job: number; rule: number }>(
      `DELETE FROM reject_rule WHERE id = @rule AND job_id = @job`,
    ),
    budgets: store.statement<{ job: number }, BudgetRow>(
      `SELECT domain, objects_max AS objectsMax, bytes_max AS bytesMax FROM domain_budget WHERE job_id = @job ORDER BY domain`,
    ),
    setBudget: store.statement<{ job: number; domain: string; objects: number | null; bytes: number | null }>(
      `INSERT INTO domain_budget (job_id, domain, objects_max, bytes_max) VALUES (@job, @domain, @objects, @bytes)
       ON CONFLICT DO UPDATE SET objects_max = excluded.objects_max, bytes_max = excluded.bytes_max`,
    ),
    removeBudget: store.statement<{ job: number; domain: string }>(
      `DELETE FROM domain_budget WHERE job_id = @job AND domain = @domain`,
    ),
    /** Uses host_by_domain. */
    use: store.statement<{ job: number; domain: string }, UseRow>(
      `SELECT COALESCE(SUM(fetched), 0) AS objects, COALESCE(SUM(bytes), 0) AS bytes FROM host WHERE job_id = @job AND domain = @domain`,
    ),
  }
}

/** Prepares the statements that select the documents of domains. */
function domainStatements(store: Store) {
  return {
    /** Scans all waiting documents, as do the next two. */
    waitingOfDomain: store.statement<{ job: number; domain: string }, { documents: number }>(
      `SELECT COUNT(*) AS documents FROM document INDEXED BY document_waiting WHERE job_id = @job AND ${ofDomain} AND ${isWaiting}`,
    ),
    allOfDomain: store.statement<{ job: number; domain: string }, { id: number }>(
      `SELECT id FROM document INDEXED BY document_waiting WHERE job_id = @job AND ${ofDomain} AND ${isWaiting}`,
    ),
    /** The last id of the next batch of waiting documents. */
    batchOfWaiting: store.statement<{ job: number; after: number; limit: number }, { last: number | null }>(
      `SELECT MAX(id) AS last FROM (
         SELECT id FROM document INDEXED BY document_waiting WHERE job_id = @job AND id > @after AND ${isWaiting} ORDER BY id LIMIT @limit)`,
    ),
    /** The waiting documents of a batch that belong to these domains. */
    ofDomains: store.statement<
      { job: number; after: number; last: number; domains: string },
      { id: number; domain: string }
    >(
      `SELECT document.id, host.domain FROM document INDEXED BY document_waiting CROSS JOIN host ON host.id = document.host_id
       WHERE document.job_id = @job AND document.id > @after AND document.id <= @last AND document.${isWaiting}
         AND host.domain IN (SELECT value FROM json_each(@domains))`,
    ),
  }
}

/** Prepares the statements that record the domain and the use of a host. */
function hostStatements(store: Store) {
  return {
    hostsWithoutDomain: store.statement<{ job: number }, { id: number; origin: string }>(
      `SELECT id, origin FROM host WHERE job_id = @job AND domain IS NULL`,
    ),
    setDomain: store.statement<{ host: number; domain: string }>(`UPDATE host SET domain = @domain WHERE id = @host`),
    noteHost: store.statement<{
      host: number
      fetched: number
      failed: number
      bytes: number
      lastMs: number
      readyMs: number | null
      pace: number
    }>(
      `UPDATE host SET fetched = fetched + @fetched, failed = failed + @failed, bytes = bytes + @bytes, last_ms = @lastMs,
              ready_ms = @readyMs, pace = @pace WHERE id = @host`,
    ),
  }
}

/** The prepared statements. */
export type LiveStatements = ReturnType<typeof liveStatements>

/** Prepares the statements for displaying a queue. `inFlight` counts documents that are handed out or being fetched. */
export function viewStatements(store: Store) {
  return {
    hosts: store.statement<
      { job: number },
      {
        id: number
        origin: string
        domain: string | null
        fetched: number
        failed: number
        lastMs: number | null
        readyMs: number | null
        pace: number
      }
    >(
      `SELECT id, origin, domain, fetched, failed, last_ms AS lastMs, ready_ms AS readyMs, pace FROM host WHERE job_id = @job`,
    ),
    /** Uses only the index document_waiting. */
    waiting: store.statement<{ job: number }, { host: number; documents: number }>(
      `SELECT host_id AS host, COUNT(*) AS documents FROM document INDEXED BY document_waiting
       WHERE job_id = @job AND ${isWaiting} GROUP BY host_id`,
    ),
    inFlight: store.statement<{ job: number }, { host: number; documents: number }>(
      `SELECT host_id AS host, COUNT(*) AS documents FROM document INDEXED BY document_in_progress
       WHERE job_id = @job AND ${isInProgress} AND ${isFetching} GROUP BY host_id`,
    ),
    /** Per host, the documents without a priority and when the first of them is due. Documents with a priority are due. */
    needing: store.statement<{ job: number }, { host: number; documents: number; dueMs: number }>(
      `SELECT host_id AS host, COUNT(*) AS documents, MIN(due_ms) AS dueMs FROM document INDEXED BY document_needing_priority
       WHERE job_id = @job AND needs_priority = 1 AND ${isWaiting} GROUP BY host_id`,
    ),
    head: store.statement<{ job: number; limit: number }, { url: string; host: string; hopPath: string; lift: number }>(
      `SELECT document.url, host.origin AS host, document.hop_path AS hopPath, document.lift
       FROM document INDEXED BY document_by_priority CROSS JOIN host ON host.id = document.host_id
       WHERE document.job_priority = (SELECT priority FROM job WHERE id = @job) AND document.priority IS NOT NULL
         AND document.${isWaiting} AND document.job_id = @job
       ORDER BY document.priority LIMIT @limit`,
    ),
    excludedByBudget: store.statement<{ job: number }, { domain: string; documents: number }>(
      `SELECT detail AS domain, COUNT(*) AS documents FROM document
       WHERE job_id = @job AND outcome = 'excluded' AND reason IN ('domainObjects', 'domainBytes') GROUP BY detail`,
    ),
    rejected: store.statement<{ job: number }, { pattern: string; documents: number }>(
      `SELECT detail AS pattern, COUNT(*) AS documents FROM document
       WHERE job_id = @job AND outcome = 'excluded' AND reason = 'rejected' GROUP BY detail`,
    ),
  }
}
