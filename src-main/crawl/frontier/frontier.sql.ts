/** SQL statements of the frontier. Statements that run often name their index; `frontier.test.ts` asserts their query plans. */
import type { OutsideDocument, Role, FoundHost, HostRow } from '../model/document.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import { documentStates, earlierDocumentStates } from '../../contract/states/documentStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { isInProgress, isWaiting } from '../model/documentSets.ts'
import type { Counts } from './counts.ts'

/** A document to add. */
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
  /** Null for a document that is only remembered. */
  priority: number | null
  /** 1: it gets its position later. */
  needsPriority: 0 | 1
  jobPriority: number
}

const moves = {
  rediscovered: moveSql(documentStates, 'rediscovered'),
  interrupted: moveSql(documentStates, 'interrupted'),
  settled: moveSql(documentStates, 'settled'),
  leftOver: moveSql(documentStates, 'leftOver'),
  reachable: moveSql(documentStates, 'reachable'),
}

const noPlace = `priority = NULL, needs_priority = 0`

/** Statements whose query plans are asserted: those that run for every document or every link. */
export const hotSql = {
  revive: `
UPDATE document SET state = CASE WHEN @state = 'PENDING' AND EXISTS (SELECT 1 FROM capture WHERE document_id = document.id)
                                 THEN 'PENDINGPURGATORY' ELSE @state END,
       outcome = @outcome, reason = @reason, detail = @detail, role = @role,
       hop_path = @hopPath, hops = @hops, via_id = @via, due_ms = @dueMs,
       priority = @priority, needs_priority = @needsPriority, job_priority = @jobPriority
WHERE job_id = @job AND url_key = @key AND url = @url AND host_id = @host
  AND state = 'COMPLETE' AND outcome = 'excluded' AND (reason IN ('outOfScope', 'notIncluded') OR @role = 'robots')`,
  anyWaiting: `SELECT 1 AS one FROM document INDEXED BY document_waiting WHERE job_id = @job AND ${isWaiting} LIMIT 1`,
  payloadKnown: `SELECT 1 AS known FROM document WHERE job_id = @job AND payload_digest = @payloadDigest LIMIT 1`,
  rediscover: `
UPDATE document SET ${moves.rediscovered.set}, role = @role, hop_path = @hopPath, hops = @hops, via_id = @via, due_ms = @dueMs,
       check_action = 'rescan', priority = @priority, needs_priority = @needsPriority, job_priority = @jobPriority
WHERE job_id = @job AND url_key = @key AND ${stateIn(earlierDocumentStates)}`,
  releaseClaimed: `
UPDATE document INDEXED BY document_in_progress SET ${moves.interrupted.set}, attempts = MAX(0, attempts - 1), priority = NULL, needs_priority = 1
WHERE job_id = @job AND ${isInProgress}`,
} as const

/** Prepares the statements of the frontier and of the end of a run. */
export function frontierStatements(store: Store) {
  return {
    addHost: store.statement<{ job: number; origin: string; domain: string }, FoundHost>(
      `INSERT INTO host (job_id, origin, domain) VALUES (@job, @origin, @domain) ON CONFLICT DO UPDATE SET origin = excluded.origin
       RETURNING id, origin, robots_state AS robotsState`,
    ),
    /** URLs to which seeds were redirected, directly or through further redirects. */
    redirectedSeeds: store.statement<{ job: number }, { url: string }>(
      `SELECT url FROM document WHERE job_id = @job AND role = 'page' AND hop_path LIKE 'R%' AND REPLACE(hop_path, 'R', '') = ''`,
    ),
    /** Documents outside the scope, each with the data of the document that led to it that judging needs. Uses
     *  document_by_outcome. */
    outside: store.statement<{ job: number; after: number; limit: number }, OutsideDocument>(
      `SELECT document.id AS document, document.url, substr(document.hop_path, -1) AS kind,
              via.id, via.role, via.hops, via.hop_path AS hopPath
       FROM document JOIN document AS via ON via.id = document.via_id
       WHERE document.job_id = @job AND document.outcome = 'excluded' AND document.id > @after
         AND document.state = 'COMPLETE' AND document.reason = 'outOfScope'
       ORDER BY document.id LIMIT @limit`,
    ),
    setRobots: store.statement<{ host: number; state: HostRow['robotsState']; text: string | null }>(
      `UPDATE host SET robots_state = @state, robots_text = @text WHERE id = @host`,
    ),
    /** Returns 1 if the document is new, 0 if the job knows it. */
    add: store.statement<NewDocument>(
      `INSERT INTO document (job_id, url_key, url, host_id, state, outcome, reason, detail, role, hop_path, hops, via_id, due_ms,
                             priority, needs_priority, job_priority)
       VALUES (@job, @key, @url, @host, @state, @outcome, @reason, @detail, @role, @hopPath, @hops, @via, @dueMs,
               @priority, @needsPriority, @jobPriority)
       ON CONFLICT (job_id, url_key) DO NOTHING`,
    ),
    /** A document captured in an earlier run is found again: it is rechecked in this run. */
    rediscover: store.statement<NewDocument>(hotSql.rediscover),
    /** Queues a known document that was excluded because of where it was found, and is wanted now: the order of discovery
     *  must not affect what is harvested. robots.txt is wanted whatever was decided about it as a page. */
    revive: store.statement<NewDocument>(hotSql.revive),
    /** Queues a document that was too far before and is nearer now. */
    reach: store.statement<{ id: number; via: number | null; hopPath: string; hops: number; dueMs: number }>(
      `UPDATE document SET ${moves.reachable.set}, outcome = NULL, reason = NULL, detail = NULL, due_ms = @dueMs,
              hop_path = @hopPath, hops = @hops, via_id = COALESCE(@via, via_id), check_action = 'rescan', needs_priority = 1
       WHERE id = @id AND ${moves.reachable.from}`,
    ),
    /** Uses document_by_digest. */
    payloadKnown: store.statement<{ job: number; payloadDigest: string }, { known: number }>(hotSql.payloadKnown),
    /** Settles the rest of the queue when a run ends early, in three statements. First: documents that wait for another check
     *  keep the outcome that they have in this run. */
    settleWaiting: store.statement<{ job: number }>(
      `UPDATE document SET ${moves.settled.set}, ${noPlace} WHERE job_id = @job AND ${isWaiting} AND outcome IS NOT NULL`,
    ),
    /** Second: documents without a capture are excluded, and in a first run all others too: it captured them itself, then a rule or
     *  budget excluded them, and since that was lifted they wait again. */
    excludeWaiting: store.statement<{ job: number; reason: string }>(
      `UPDATE document SET ${moves.settled.set}, outcome = 'excluded', reason = @reason, ${noPlace}
       WHERE job_id = @job AND ${isWaiting}
         AND (state = 'PENDING' OR (SELECT run FROM job WHERE id = @job) = 1
           OR NOT EXISTS (SELECT 1 FROM capture WHERE document_id = document.id))`,
    ),
    /** Third: documents with a capture, in a further run, stay unchanged. */
    leaveWaiting: store.statement<{ job: number }>(
      `UPDATE document SET ${moves.leftOver.set}, ${noPlace} WHERE job_id = @job AND ${moves.leftOver.from}`,
    ),
    /** Uses document_waiting. */
    anyWaiting: store.statement<{ job: number }, { one: number }>(hotSql.anyWaiting),
    /** Returns claimed documents that were never settled to the queue, without counting an attempt. */
    releaseClaimed: store.statement<{ job: number }>(hotSql.releaseClaimed),
    count: store.statement<Counts & { job: number }>(
      `UPDATE job SET documents_total = documents_total + @total, documents_fetched = documents_fetched + @fetched,
              documents_failed = documents_failed + @failed, documents_excluded = documents_excluded + @excluded,
              documents_duplicate = documents_duplicate + @duplicate, bytes = bytes + @bytes
       WHERE id = @job`,
    ),
  }
}

/** The prepared statements. */
export type FrontierStatements = ReturnType<typeof frontierStatements>
