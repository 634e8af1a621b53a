/** Reject rules of a job: patterns of URLs that are excluded from its queue, now and when they are found later. */
import { Fault } from '../../contract/calls/faults.ts'
import { firstUrlsMax, type Effect } from '../../contract/services/live.ts'
import { message } from '../../contract/words/message.ts'
import type { Clock } from '../../world/world.ts'
import type { ExclusionCause, Exclusions } from './exclusions.ts'
import type { JobControl } from './jobControl.ts'
import type { LiveStatements } from './live.sql.ts'

/** Changes of reject rules; see `LiveActions`. */
export interface RejectRules {
  reject(given: { job: number; pattern: string; ids: readonly number[] }): number
  unreject(given: { job: number; rule: number }): Effect
}

interface RejectRulesSetting {
  sql: Pick<LiveStatements, 'rules' | 'addRule' | 'removeRule' | 'keptOut'>
  clock: Pick<Clock, 'now'>
  control: Pick<JobControl, 'change'>
  exclusions: Exclusions
}

/** Opens the changes of reject rules. */
export function rejectRulesOf({ sql, clock, control, exclusions }: RejectRulesSetting): RejectRules {
  function patternOf(job: number, rule: number): string {
    const found = sql.rules.all({ job }).find(({ id }) => id === rule)
    if (!found) throw new Fault('notFound', message('job.noRule', { job, rule }))
    return found.pattern
  }

  /** The documents that a rule excludes. None of them is in progress: a rule excludes such a document when its turn comes. */
  function excludedBy(job: number, cause: ExclusionCause): Effect {
    return {
      documents: exclusions.count(job, cause),
      inProgress: 0,
      first: sql.keptOut.all({ job, ...cause, limit: firstUrlsMax }).map(({ url }) => url),
    }
  }

  return {
    reject: ({ job, pattern, ids }) =>
      control.change(job, () => {
        sql.addRule.run({ job, pattern, nowMs: clock.now() })
        const done = exclusions.exclude(job, ids, { reason: 'rejected', detail: pattern })
        return { done, line: message('jobLog.queue.rejected', { pattern, urls: done }) }
      }),
    unreject: ({ job, rule }) =>
      control.change(job, () => {
        const pattern = patternOf(job, rule)
        const cause = { reason: 'rejected', detail: pattern } as const
        const done = excludedBy(job, cause)
        sql.removeRule.run({ job, rule })
        exclusions.restore(job, cause)
        return { done, line: message('jobLog.queue.unrejected', { pattern, urls: done.documents }) }
      }),
  }
}
