/** Changes of budgets: sets the limits of domains in a run, and excludes or queues their documents accordingly. `budgets.ts`
 *  evaluates them. */
import { Fault, inField } from '../../contract/calls/faults.ts'
import { budgetEffect, type Budget, type BudgetEffect } from '../../contract/services/live.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import type { Store } from '../../storage/storage.ts'
import { overBudget, spentBy } from './budgets.ts'
import { domainsOf } from './domains.ts'
import type { Exclusions } from './exclusions.ts'
import type { JobControl } from './jobControl.ts'
import type { BudgetRow, LiveStatements, UseRow } from './live.sql.ts'

/** Changes of budgets; see `LiveActions`. */
export type SetBudgets = (given: { job: number; budgets: readonly Budget[]; isTrial: boolean }) => BudgetEffect[]

interface BudgetChangesSetting {
  store: Store
  sql: LiveStatements
  control: Pick<JobControl, 'change' | 'jobInControl'>
  exclusions: Exclusions
}

/** The reasons for which a budget excludes documents: one per kind of limit. */
const budgetReasons = ['domainObjects', 'domainBytes'] as const

/** Opens the changes of budgets. */
export function budgetChangesOf({ store, sql, control, exclusions }: BudgetChangesSetting): SetBudgets {
  const domains = domainsOf(store, sql)
  const useOf = (job: number, domain: string): UseRow => sql.use.get({ job, domain }) ?? { objects: 0, bytes: 0 }

  function effectOf(job: number, budget: BudgetRow): BudgetEffect {
    const { domain } = budget
    const use = useOf(job, domain)
    const waiting = sql.waitingOfDomain.get({ job, domain })?.documents ?? 0
    const excluded = budgetReasons.reduce((sum, reason) => sum + exclusions.count(job, { reason, detail: domain }), 0)
    const isSpent = spentBy(budget, use) !== undefined
    const restored = isSpent ? 0 : excluded
    const dropped = isSpent ? waiting : 0
    const over = overBudget(budget, use, waiting - dropped + restored)
    return budgetEffect.parse({ ...budget, ...use, waiting, excluded, dropped, restored, over })
  }

  function set(job: number, budget: BudgetRow): void {
    const { domain, objectsMax, bytesMax } = budget
    if (objectsMax === null && bytesMax === null) sql.removeBudget.run({ job, domain })
    else sql.setBudget.run({ job, domain, objects: objectsMax, bytes: bytesMax })
    const spent = spentBy(budget, useOf(job, domain))
    if (spent === undefined) for (const reason of budgetReasons) exclusions.restore(job, { reason, detail: domain })
    else {
      const ids = sql.allOfDomain.all({ job, domain }).map(({ id }) => id)
      exclusions.exclude(job, ids, { reason: spent, detail: domain })
    }
  }

  return ({ job, budgets, isTrial }) => {
    domains.fill(job)
    const rows = budgets.map(rowOf)
    if (isTrial) {
      control.jobInControl(job)
      return rows.map((row) => effectOf(job, row))
    }
    return control.change(job, () => {
      // Computed before any budget is set: the effects are those that a trial shows.
      const done = rows.map((row) => effectOf(job, row))
      for (const row of rows) set(job, row)
      return { done, line: budgetsMessage(done) }
    })
  }
}

function rowOf({ domain, objects, bytes }: Budget, at: number): BudgetRow {
  const registered = inField(['budgets', at, 'domain'], () => domainNamed(domain))
  return { domain: registered, objectsMax: objects, bytesMax: bytes }
}

/** The registered domain of a domain, host or URL, as the user entered it. Throws `Fault` badInput. */
function domainNamed(text: string): string {
  const host = URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname
  if (!host) throw new Fault('badInput', message('budget.notDomain', { text }))
  return registeredDomain(host)
}

function budgetsMessage(effects: readonly BudgetEffect[]): Message {
  const [only] = effects
  const moved = {
    dropped: effects.reduce((sum, effect) => sum + effect.dropped, 0),
    restored: effects.reduce((sum, effect) => sum + effect.restored, 0),
  }
  if (!only || effects.length > 1) return message('jobLog.budget.several', { domains: effects.length, ...moved })
  const { domain, objectsMax, bytesMax } = only
  const unlimited = message('jobLog.budget.unlimited')
  return message('jobLog.budget', { domain, objects: objectsMax ?? unlimited, bytes: bytesMax ?? unlimited, ...moved })
}
