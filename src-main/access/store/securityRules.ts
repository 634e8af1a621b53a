/** The security rules of an archive, in the database and, since each capture asks for them, in memory. */
import { Fault } from '../../contract/calls/faults.ts'
import type { SecurityRule, SecurityRuleInput } from '../../contract/services/security.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { describedStatements, securityRuleStatements, type SecurityRuleDbRow } from './access.sql.ts'

/** Rules of an archive at most: all of them are in memory. */
const rulesMax = 100_000

/** The stored rules. */
export interface StoredSecurityRules {
  current(): readonly SecurityRule[]
  /** Adds a rule, or replaces the tokens of the one for the same job, prefix, level and group. Throws `Fault`: badInput without tokens and for a
   *  group that does not exist, refused when there are too many. */
  set(given: SecurityRuleInput): SecurityRule
  /** Throws `Fault` notFound. */
  remove(rule: number): void
}

/** Reads the rules. */
export function openSecurityRules(store: Store): StoredSecurityRules {
  const sql = securityRuleStatements(store)
  const groups = describedStatements(store, 'authgroup')
  let current: readonly SecurityRule[] | undefined

  function changing<Result>(change: () => Result): Result {
    const result = store.transaction(change)
    current = undefined
    return result
  }

  return {
    current: () => (current ??= sql.all.all({}).map(ruleOf)),
    set: (given) =>
      changing(() => {
        if (given.allow.length + given.deny.length === 0)
          throw new Fault('badInput', message('security.noTokens'), { fields: [['allow']] })
        const group = groups.one.get({ name: given.group })
        if (!group)
          throw new Fault('badInput', message('authority.group.absent', { name: given.group }), { fields: [['group']] })
        const { count = 0 } = sql.count.get({}) ?? {}
        if (count >= rulesMax) throw new Fault('refused', message('security.many', { most: rulesMax }))
        const { job, surtPrefix, level } = given
        const [allow, deny] = [asJson(given.allow), asJson(given.deny)]
        const stored = sql.set.get({ job, surtPrefix, level, groupId: group.id, allow, deny })
        if (!stored) throw new Error('the rule was not stored')
        return ruleOf({ ...stored, groupName: group.name })
      }),
    remove: (rule) =>
      changing(() => {
        if (sql.remove.run({ rule }) === 0) throw new Fault('notFound', message('security.absent', { rule }))
      }),
  }
}

function asJson(tokens: readonly string[]): string {
  return JSON.stringify([...new Set(tokens)])
}

function ruleOf({ groupName, allow, deny, ...row }: SecurityRuleDbRow): SecurityRule {
  return { ...row, group: groupName, allow: JSON.parse(allow) as string[], deny: JSON.parse(deny) as string[] }
}
