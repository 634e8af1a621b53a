/** SQL statements of the queue over all jobs. Every statement runs often and names its index; `refill.test.ts` asserts the
 *  query plans. */
import { documentStates } from '../../contract/states/documentStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import { statesIn } from '../../contract/states/jobStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { isFree } from './prerequisites.ts'
import { isInProgress, isWaiting } from '../model/documentSets.ts'
import type { DocumentToFetch, HostRow, Role } from '../model/document.ts'

/** One document at the front of the queue. */
export interface QueuedRow {
  id: number
  job: number
  url: string
  role: Role
  priority: number
  lift: number
  host: number
}

/** A document with its position. */
export interface PlacedRow {
  id: number
  job: number
  url: string
  role: Role
  priority: number
  lift: number
}

/** A document that needs a position. */
export interface NeedyRow {
  id: number
  url: string
  role: Role
  attempts: number
  lift: number
}

/** Documents with this priority or more are never claimed: their bin is never fetched. */
const neverPriority = 1e9

const claimed = moveSql(documentStates, 'claimed')
const postponed = moveSql(documentStates, 'postponed')

const eligible = `
FROM document INDEXED BY document_by_priority
WHERE document.job_priority = @jobPriority AND document.priority IS NOT NULL AND document.priority < ${neverPriority} AND document.${isWaiting}
  AND document.due_ms <= @nowMs AND (document.check_action IS NULL OR document.check_action = 'rescan')
  AND EXISTS (SELECT 1 FROM job WHERE job.id = document.job_id AND ${stateIn(statesIn('working'), 'job.state')})
  AND NOT EXISTS (SELECT 1 FROM document AS other INDEXED BY document_in_progress
                  WHERE other.url_key = document.url_key AND other.job_id <> document.job_id AND other.${isInProgress})
  AND ${isFree}
ORDER BY document.priority LIMIT @limit`

/** The statements whose query plans are asserted. */
export const queueSql = {
  front: `
SELECT document.id, document.job_id AS job, document.url, document.role, document.priority, document.lift,
       document.host_id AS host ${eligible}`,
  frontPriority: `SELECT document.priority ${eligible}`,
  claim: `
UPDATE document SET ${claimed.set}, attempts = attempts + 1
WHERE id IN (SELECT value FROM json_each(@ids)) AND ${claimed.from}
RETURNING id, url, role, hop_path AS hopPath, hops, via_id AS viaId, attempts,
          (SELECT via.url FROM document AS via WHERE via.id = document.via_id) AS viaUrl`,
  putBack: `
UPDATE document SET ${postponed.set}, attempts = attempts - 1, priority = NULL, needs_priority = 1, due_ms = MAX(due_ms, @dueMs)
WHERE id IN (SELECT value FROM json_each(@ids)) AND ${postponed.from}`,
  needy: `
SELECT id, url, role, attempts, lift FROM document INDEXED BY document_needing_priority
WHERE job_id = @job AND needs_priority = 1 AND ${isWaiting} AND due_ms <= @nowMs ORDER BY due_ms, id LIMIT @limit`,
  waitingHosts: `
SELECT MAX(id) AS last, SUM(host_id NOT IN (SELECT value FROM json_each(@known))) AS others FROM (
  SELECT id, host_id FROM document INDEXED BY document_waiting
  WHERE job_id = @job AND id > @after AND ${isWaiting} ORDER BY id LIMIT @limit)`,
  place: `UPDATE document SET priority = @priority, job_priority = @jobPriority, needs_priority = 0 WHERE id = @id AND ${isWaiting}`,
  setAside: `
UPDATE document SET priority = NULL, needs_priority = 1, due_ms = MAX(due_ms, @dueMs) WHERE id = @id AND ${isWaiting}`,
  stepOfJob: `
SELECT MAX(id) AS last FROM (
  SELECT id FROM document INDEXED BY document_by_job WHERE job_id = @job AND id > @after ORDER BY id LIMIT @limit)`,
  displace: `
UPDATE document INDEXED BY document_by_job SET priority = NULL, needs_priority = 1
WHERE job_id = @job AND id > @after AND id <= @last AND priority IS NOT NULL AND ${isWaiting}`,
  placed: `
SELECT id, url, role, priority, lift, job_id AS job FROM document INDEXED BY document_by_priority
WHERE job_priority = @jobPriority AND priority IS NOT NULL AND ${isWaiting}
  AND priority >= @after AND priority <= @until AND (priority > @after OR id > @afterId)
ORDER BY priority, id LIMIT @limit`,
  last: `
SELECT MAX(priority) AS priority FROM document INDEXED BY document_by_priority
WHERE job_priority = @jobPriority AND priority IS NOT NULL AND ${isWaiting}`,
} as const

/** Prepares the statements of the queue over all running jobs. */
export function queueStatements(store: Store) {
  return {
    /** The front of the queue of one job priority, in order. Uses document_by_priority, without sorting. */
    front: store.statement<{ jobPriority: number; nowMs: number; limit: number }, QueuedRow>(queueSql.front),
    frontPriority: store.statement<{ jobPriority: number; nowMs: number; limit: number }, { priority: number }>(
      queueSql.frontPriority,
    ),
    /** Claims in one statement, so that no document is handed out twice. */
    claim: store.statement<{ ids: string }, DocumentToFetch>(queueSql.claim),
    /** Returns claimed documents that were not begun to the queue, without counting an attempt. */
    putBack: store.statement<{ ids: string; dueMs: number }>(queueSql.putBack),
    needy: store.statement<{ job: number; nowMs: number; limit: number }, NeedyRow>(queueSql.needy),
    host: store.statement<{ host: number }, HostRow>(
      `SELECT id, origin, robots_state AS robotsState, robots_text AS robotsText FROM host WHERE id = @host`,
    ),
    /** Counts, in a batch of waiting documents in the order of discovery, those of hosts other than the known ones. */
    waitingHosts: store.statement<
      { job: number; after: number; limit: number; known: string },
      { last: number | null; others: number | null }
    >(queueSql.waitingHosts),
    place: store.statement<{ id: number; priority: number; jobPriority: number }>(queueSql.place),
    /** Postpones a document for as long as its host is in its delay. */
    setAside: store.statement<{ id: number; dueMs: number }>(queueSql.setAside),
    /** A batch of a job's documents, in the order of their ids: a queue of millions must not hold up the workers. */
    stepOfJob: store.statement<{ job: number; after: number; limit: number }, { last: number | null }>(
      queueSql.stepOfJob,
    ),
    displace: store.statement<{ job: number; after: number; last: number }>(queueSql.displace),
    placed: store.statement<
      { jobPriority: number; after: number; afterId: number; until: number; limit: number },
      PlacedRow
    >(queueSql.placed),
    last: store.statement<{ jobPriority: number }, { priority: number | null }>(queueSql.last),
    /** `version` is 0 until a user changes the priority of the job. */
    jobPriority: store.statement<{ job: number }, { priority: number; version: number }>(
      `SELECT priority, live_version AS version FROM job WHERE id = @job`,
    ),
    depth: store.statement<object, { depthMin: number; isResetting: number }>(
      `SELECT depth_min AS depthMin, is_resetting AS isResetting FROM queue_depth WHERE id = 1`,
    ),
    deepen: store.statement<{ depthMin: number }>(
      `UPDATE queue_depth SET depth_min = @depthMin WHERE id = 1 AND depth_min < @depthMin AND is_resetting = 0`,
    ),
    beginReset: store.statement<object>(`UPDATE queue_depth SET depth_min = 0, is_resetting = 1 WHERE id = 1`),
    endReset: store.statement<object>(`UPDATE queue_depth SET is_resetting = 0 WHERE id = 1`),
    dropCounters: store.statement<object>(`DELETE FROM bin_counter`),
    counter: store.statement<{ bin: string }, { value: number }>(`SELECT value FROM bin_counter WHERE bin = @bin`),
    setCounter: store.statement<{ bin: string; value: number }>(
      `INSERT INTO bin_counter (bin, value) VALUES (@bin, @value) ON CONFLICT DO UPDATE SET value = excluded.value`,
    ),
  }
}

/** The prepared statements. */
export type QueueStatements = ReturnType<typeof queueStatements>
