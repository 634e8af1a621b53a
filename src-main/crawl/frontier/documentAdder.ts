/** Adds documents to a job's list. A URL that the list has already is queued again if this run has not found it yet, or if it
 *  was excluded and is wanted now. */
import { storedDetail } from '../model/detail.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import type { FoundHost } from '../model/document.ts'
import { keyOf } from '../model/urlKeys.ts'
import type { Batch } from './batches.ts'
import type { Candidate } from './candidate.ts'
import type { Counts } from './counts.ts'
import type { FrontierStatements, NewDocument } from './frontier.sql.ts'
import type { Places } from './places.ts'

/** Change of the counters when one document was added. */
export type Added = Pick<Counts, 'total' | 'excluded'>

/** Change of the counters when nothing was added. */
export const nothingAdded: Added = { total: 0, excluded: 0 }

/** Adds a candidate of this host. Called inside a transaction. */
export type AddDocument = (candidate: Candidate, host: FoundHost, batch: Batch) => Added

/** Returns a function that adds documents of a job. */
export function documentAdder(
  sql: Pick<FrontierStatements, 'add' | 'rediscover' | 'revive'>,
  job: number,
  { binsOf, jobPriority, isInLine = false }: Places,
): AddDocument {
  return (candidate, host, { nowMs, numbering }) => {
    const { excluded } = candidate
    const bins = excluded ? [] : binsOf(candidate.url)
    // Everything else of the host waits for robots.txt, so it goes to the front, however much is queued.
    const place = candidate.role === 'robots' ? numbering.front() : numbering.peek(bins)
    const row = rowOf(candidate, {
      job,
      host: host.id,
      dueMs: nowMs,
      priority: excluded || isInLine ? null : place,
      needsPriority: !excluded && isInLine ? 1 : 0,
      jobPriority: jobPriority(),
    })
    const isNew = sql.add.run(row) === 1
    // Known from an earlier run: it counts in this run from now on.
    const isRediscovered = !isNew && !excluded && sql.rediscover.run(row) === 1
    const isRevived = !isNew && !isRediscovered && !excluded && sql.revive.run(row) === 1
    if (!excluded && (isNew || isRediscovered || isRevived)) numbering.take(bins)
    if (isNew || isRediscovered) return { total: 1, excluded: excluded ? 1 : 0 }
    return { total: 0, excluded: isRevived ? -1 : 0 }
  }
}

function rowOf(
  { url, role, hopPath, hops, via, excluded }: Candidate,
  more: Pick<NewDocument, 'job' | 'host' | 'dueMs' | 'priority' | 'needsPriority' | 'jobPriority'>,
): NewDocument {
  return {
    ...more,
    key: keyOf(url),
    url,
    role,
    hopPath,
    hops,
    via,
    state: excluded ? stateOfExcluded(excluded.reason) : 'PENDING',
    outcome: excluded ? 'excluded' : null,
    reason: excluded?.reason ?? null,
    detail: excluded ? storedDetail(excluded.detail) : null,
  }
}

/** Returns the state of an excluded document. One that is only too far stays reachable: a shorter path to it may be found. */
function stateOfExcluded(reason: Reason): 'COMPLETE' | 'HOPCOUNTREMOVED' {
  return reason === 'tooManyHops' ? 'HOPCOUNTREMOVED' : 'COMPLETE'
}
