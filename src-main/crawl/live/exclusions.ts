/** Excludes queued documents at the request of a user, and queues them again. Every change keeps the counters of the job equal to
 *  its documents. All functions are called inside a transaction. */
import { storedDefinition } from '../../contract/services/definition.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { noCounts, type Counts } from '../frontier/counts.ts'
import { openFrontier } from '../frontier/frontier.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { idBatches } from './idBatches.ts'
import type { LiveStatements } from './live.sql.ts'

/** Why documents are excluded; together with the job it selects them again. */
export interface ExclusionCause {
  reason: Reason
  /** The pattern of a reject rule, the domain of a budget, or the selection that a user deleted. */
  detail: string
}

/** Exclusion of documents of any job. */
export interface Exclusions {
  /** Excludes those of the documents that still wait; returns how many these are. Documents in progress by now are not changed. */
  exclude(job: number, ids: readonly number[], cause: ExclusionCause): number
  /** Queues every document that is excluded for this cause. */
  restore(job: number, cause: ExclusionCause): void
  /** Returns how many documents are excluded for this cause. */
  count(job: number, cause: ExclusionCause): number
}

/** Opens the exclusions. */
export function exclusionsOf(store: Store, sql: LiveStatements, clock: Pick<Clock, 'now'>): Exclusions {
  const { count } = frontierStatements(store)
  const jobs = jobStatements(store)

  /** Queues the robots.txt of hosts that have none yet: documents excluded when they were found did not cause its request. */
  function askForRules(excluded: ExclusionCause & { job: number }, nowMs: number): Counts {
    const { job } = excluded
    const stored = jobs.definition.get({ job })
    const hosts = sql.restoredHosts.all(excluded)
    if (!stored || hosts.length === 0) return noCounts
    const definition = storedDefinition.parse(JSON.parse(stored.definition))
    const { robots } = repositoryOf(definition).inForce(definition)
    return openFrontier(store, job, robots).askForRules(hosts, nowMs)
  }

  return {
    exclude(job, ids, cause) {
      let excluded = 0
      for (const batch of idBatches(ids)) {
        const counts = { ...noCounts }
        for (const { outcome, documents } of sql.outcomes.all({ ids: batch })) counts[outcome] -= documents
        const changed = sql.drop.all({ ids: batch, ...cause }).length
        counts.excluded += changed
        count.run({ job, ...counts })
        excluded += changed
      }
      return excluded
    },
    restore(job, cause) {
      const given = { job, ...cause, nowMs: clock.now() }
      // Before the documents are restored, since afterwards no excluded document leads to these hosts.
      const rules = askForRules({ job, ...cause }, given.nowMs)
      const unsettled = sql.restoreWaiting.run(given) + sql.restoreInProgress.run({ job, ...cause })
      const settled = sql.restore.run(given) + sql.restoreCaptured.run(given)
      count.run({ job, ...rules, excluded: rules.excluded - unsettled - settled })
    },
    count: (job, cause) => sql.keptOutCount.get({ job, ...cause })?.documents ?? 0,
  }
}
