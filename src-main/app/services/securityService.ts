/** Service `security` of the contract: which access tokens captures need. Changes are in the audit log. */
import { type Access } from '../../access/access.ts'
import type { AuditLog } from '../../archive/audit/audit.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import type { Loupe } from '../../contract/contract.ts'
import { accessRequest } from '../../contract/services/authorities.ts'
import { securityRuleInput, type SecurityRule } from '../../contract/services/security.ts'
import type { Clock } from '../../world/world.ts'

interface Parts {
  access: Pick<Access, 'security'>
  around: { auditLog: AuditLog }
  world: { clock: Clock }
}

/** Makes the service. */
export function securityService({
  access: { security },
  around: { auditLog },
  world: { clock },
}: Parts): Loupe['security'] {
  const changes = emitter<Record<string, never>>()

  function changed(was: SecurityRule | undefined, became: SecurityRule | undefined): void {
    const subject = placeOf(became ?? was)
    const values = { was: tokensOf(was), became: tokensOf(became) }
    auditLog.append({ who: 'user', what: 'securityRule', subject, ...values }, clock.now())
    changes.emit({})
  }

  return {
    rules: async ({ job }) => security.rules(job),
    async set(given) {
      const before = security.rules()
      const rule = security.set(securityRuleInput.parse(given))
      const was = before.find((each) => each.rule === rule.rule)
      changed(was, rule)
      return rule
    },
    async remove({ rule }) {
      const was = security.rules().find((each) => each.rule === rule)
      security.remove(rule)
      changed(was, undefined)
      return {}
    },
    decide: async ({ url, job = null, ...asked }) => security.decide(accessRequest.parse(asked), { url, job }),
    changed: changes.on,
  }
}

/** What a rule is about, as the audit log names it. */
function placeOf(rule: SecurityRule | undefined): string {
  if (!rule) return ''
  const { job, surtPrefix, level, group } = rule
  return [...(job === null ? [] : [`job ${job}`]), ...(surtPrefix === '' ? [] : [surtPrefix]), group, level].join(' ')
}

function tokensOf(rule: SecurityRule | undefined): unknown {
  return rule && { allow: rule.allow, deny: rule.deny }
}
