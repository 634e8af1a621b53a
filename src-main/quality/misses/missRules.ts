/** Rules that ignore misses of a job, and notes on misses. */
import { Fault } from '../../contract/calls/faults.ts'
import type { MissRule } from '../../contract/services/misses.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { missRuleStatements, missStatements, type RuleRow } from './misses.sql.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  jobs: Pick<Jobs, 'summary'>
}

/** Changes that users make to misses. */
export interface MissRules {
  /** Ignores what matches, now and later. A rule that exists is applied again. Throws `Fault` notFound without such a job. */
  ignore(job: number, pattern: string): MissRule
  /** Removes a rule and returns the number of misses that are open again. Throws `Fault` notFound without such a rule. */
  unignore(rule: number): number
  /** Rules of jobs, oldest first. */
  rules(jobs: readonly number[]): MissRule[]
  /** Replaces the notes of misses and returns their number. */
  note(misses: readonly number[], note: string): number
}

/** Opens the rules. */
export function missRules({ store, world, jobs }: Parts): MissRules {
  const sql = missRuleStatements(store)
  const { note } = missStatements(store)
  return {
    ignore: (job, pattern) =>
      store.transaction(() => {
        jobs.summary(job)
        sql.add.run({ job, pattern, nowMs: world.clock.now() })
        const added = sql.named.get({ job, pattern })
        if (!added) throw new Error('a rule was not added')
        sql.ignore.run({ rule: added.rule, job, pattern })
        return ruleOf(sql.one.get({ rule: added.rule }) ?? added)
      }),
    unignore: (rule) =>
      store.transaction(() => {
        const known = sql.one.get({ rule })
        if (!known) throw new Fault('notFound', message('miss.rule.absent', { rule }))
        const restored = sql.restore.run({ rule })
        sql.remove.run({ rule })
        return restored - sql.ignoreAll.run({ job: known.job })
      }),
    rules: (asked) => sql.list.all({ jobs: JSON.stringify(asked) }).map(ruleOf),
    note: (misses, text) => note.run({ ids: JSON.stringify(misses), note: text }),
  }
}

function ruleOf({ createdMs, ...rule }: RuleRow): MissRule {
  return { ...rule, created: new Date(createdMs).toISOString() }
}
