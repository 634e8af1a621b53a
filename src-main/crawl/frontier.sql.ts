/** The statements of the frontier. Hot ones name their index; `frontier.test.ts` asserts their query plans. */
import { documentStates } from '../contract/documentStates.ts'
import { moveSql } from '../storage/guard.ts'
import { isFree } from './prerequisites/prerequisites.ts'
import type { Past } from './recrawl/past.ts'
import type { Store } from '../storage/storage.ts'

export interface DocumentToFetch {
  id: number
  url: string
  role: Role
  hopPath: string
  hops: number
  viaId: number | null
  viaUrl: string | null
  attempts: number
  /** What was captured of it before. */
  past?: Past
}

export type Role = 'page' | 'requisite' | 'robots' | 'sitemap'

export interface HostRow {
  id: number
  origin: string
  robotsState: 'UNKNOWN' | 'ALLOWED' | 'RULES' | 'UNREACHABLE'
  robotsText: string | null
}

export interface NewDocument {
  job: number
  key: Uint8Array
  url: string
  host: number
  state: 'PENDING' | 'COMPLETE' | 'HOPCOUNTREMOVED'
  outcome: string | null
  reason: string | null
  detail: string | null
  role: Role
  hopPath: string
  hops: number
  via: number | null
  dueMs: number
}

const moves = {
  claimed: moveSql(documentStates, 'claimed'),
  rediscovered: moveSql(documentStates, 'rediscovered'),
  interrupted: moveSql(documentStates, 'interrupted'),
  leftOver: moveSql(documentStates, 'leftOver'),
  reachable: moveSql(documentStates, 'reachable'),
}

const columns = `id, url, role, hop_path AS hopPath, hops, via_id AS viaId, attempts`

/** The statements whose plans are asserted: those that run for every document or every link. */
export const hotSql = {
  claim: `
UPDATE document SET ${moves.claimed.set}, attempts = attempts + 1
WHERE id IN (
  SELECT id FROM document INDEXED BY document_by_turn
  WHERE host_id = @host AND ${moves.claimed.from} AND (check_action IS NULL OR check_action = 'rescan') AND hops < @hopsBelow AND due_ms <= @nowMs AND ${isFree}
  ORDER BY hops, id LIMIT @limit)
RETURNING ${columns}, (SELECT via.url FROM document AS via WHERE via.id = document.via_id) AS viaUrl`,
  nextDue: `SELECT MIN(due_ms) AS dueMs FROM document INDEXED BY document_by_turn WHERE host_id = @host AND ${moves.claimed.from} AND hops < @hopsBelow`,
  revive: `
UPDATE document SET state = @state, outcome = @outcome, reason = @reason, detail = @detail, role = @role,
       hop_path = @hopPath, hops = @hops, via_id = @via, due_ms = @dueMs
WHERE job_id = @job AND url_key = @key AND url = @url AND host_id = @host
  AND state = 'COMPLETE' AND outcome = 'excluded' AND reason IN ('outOfScope', 'notIncluded')`,
  payloadKnown: `SELECT 1 AS known FROM document WHERE job_id = @job AND payload_digest = @payloadDigest LIMIT 1`,
  rediscover: `
UPDATE document SET ${moves.rediscovered.set}, role = @role, hop_path = @hopPath, hops = @hops, via_id = @via, due_ms = @dueMs,
       check_action = 'rescan', needs_priority = 1
WHERE job_id = @job AND url_key = @key AND state IN ('PURGATORY', 'UNCHANGED')`,
  releaseClaimed: `UPDATE document SET ${moves.interrupted.set}, attempts = MAX(0, attempts - 1) WHERE job_id = @job AND ${moves.interrupted.from}`,
} as const

export function frontierStatements(store: Store) {
  return {
    /** One statement claims a host's next turn, so no document can be held twice. Uses document_by_turn. */
    claim: store.statement<{ host: number; nowMs: number; limit: number; hopsBelow: number }, DocumentToFetch>(
      hotSql.claim,
    ),
    /** When a host whose waiting documents are all postponed has its next turn. Uses document_by_turn. */
    nextDue: store.statement<{ host: number; hopsBelow: number }, { dueMs: number | null }>(hotSql.nextDue),
    hostsOf: store.statement<{ job: number }, HostRow & { pending: number }>(
      `SELECT id, origin, robots_state AS robotsState, robots_text AS robotsText,
              EXISTS (SELECT 1 FROM document INDEXED BY document_by_turn WHERE host_id = host.id AND ${moves.claimed.from}) AS pending
       FROM host WHERE job_id = @job`,
    ),
    addHost: store.statement<{ job: number; origin: string }, HostRow>(
      `INSERT INTO host (job_id, origin) VALUES (@job, @origin) ON CONFLICT DO UPDATE SET origin = excluded.origin
       RETURNING id, origin, robots_state AS robotsState, robots_text AS robotsText`,
    ),
    /** Where seeds were redirected to, once and more often. */
    redirectedSeeds: store.statement<{ job: number }, { url: string }>(
      `SELECT url FROM document WHERE job_id = @job AND role = 'page' AND hop_path LIKE 'R%' AND REPLACE(hop_path, 'R', '') = ''`,
    ),
    setRobots: store.statement<{ host: number; state: HostRow['robotsState']; text: string | null }>(
      `UPDATE host SET robots_state = @state, robots_text = @text WHERE id = @host`,
    ),
    /** 1 when the document is new, 0 when the job knows it. */
    add: store.statement<NewDocument>(
      `INSERT INTO document (job_id, url_key, url, host_id, state, outcome, reason, detail, role, hop_path, hops, via_id, due_ms)
       VALUES (@job, @key, @url, @host, @state, @outcome, @reason, @detail, @role, @hopPath, @hops, @via, @dueMs)
       ON CONFLICT (job_id, url_key) DO NOTHING`,
    ),
    /** What an earlier run captured is found again: it is looked at anew. */
    rediscover: store.statement<NewDocument>(hotSql.rediscover),
    /** A known document that had been refused for where it was found, and is wanted now: the order of discovery must not
     *  decide what is harvested. The rules of a host are wanted whatever was said of them as a page. */
    revive: store.statement<NewDocument>(hotSql.revive),
    /** Too far before, nearer now. */
    reach: store.statement<{ id: number; via: number | null; hopPath: string; hops: number; dueMs: number }>(
      `UPDATE document SET ${moves.reachable.set}, outcome = NULL, reason = NULL, detail = NULL, due_ms = @dueMs,
              hop_path = @hopPath, hops = @hops, via_id = COALESCE(@via, via_id), check_action = 'rescan', needs_priority = 1
       WHERE id = @id AND ${moves.reachable.from}`,
    ),
    /** Uses document_by_digest. */
    payloadKnown: store.statement<{ job: number; payloadDigest: string }, { known: number }>(hotSql.payloadKnown),
    /** The rest of the queue, when the job ends before its time. */
    excludeWaiting: store.statement<{ job: number; reason: string }>(
      `UPDATE document SET state = 'COMPLETE', outcome = 'excluded', reason = @reason, priority = NULL, needs_priority = 0
       WHERE job_id = @job AND state = 'PENDING'`,
    ),
    /** What was captured before and waited for another look stays as it was. */
    leaveWaiting: store.statement<{ job: number }>(
      `UPDATE document SET ${moves.leftOver.set}, priority = NULL, needs_priority = 0 WHERE job_id = @job AND ${moves.leftOver.from}`,
    ),
    anyWaiting: store.statement<{ job: number }, { one: number }>(
      `SELECT 1 AS one FROM host WHERE job_id = @job
         AND EXISTS (SELECT 1 FROM document INDEXED BY document_by_turn WHERE host_id = host.id AND ${moves.claimed.from}) LIMIT 1`,
    ),
    releaseClaimed: store.statement<{ job: number }>(hotSql.releaseClaimed),
    count: store.statement<{
      job: number
      total: number
      fetched: number
      failed: number
      excluded: number
      duplicate: number
      bytes: number
    }>(
      `UPDATE job SET documents_total = documents_total + @total, documents_fetched = documents_fetched + @fetched,
              documents_failed = documents_failed + @failed, documents_excluded = documents_excluded + @excluded,
              documents_duplicate = documents_duplicate + @duplicate, bytes = bytes + @bytes
       WHERE id = @job`,
    ),
  }
}
