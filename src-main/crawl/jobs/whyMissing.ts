/** What a job knows of an address that a viewing missed, in a person's words: the rule, the line, the limit with its number and whose
 *  it was, or the fault. What was captured, and which capture answers, only an index says. */
import { createHash } from 'node:crypto'
import { storedDefinition } from '../../contract/contract.ts'
import { reasons, type Reason } from '../../contract/states/outcomes.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import { ranWith } from '../definition/storedDefinition.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { liveStatements } from '../live/live.sql.ts'

/** Undefined when it never met it. */
export function whyMissingIn(store: Store): (job: number, url: string) => string | undefined {
  const sql = jobStatements(store)
  const { budgets } = liveStatements(store)

  /** The limits are not written down with what they keep out: a run ends by that which it ran with. */
  function limitText(job: number, reason: string): string | undefined {
    const definition = ranWith(store, job)
    if (!(reason in limitOf) || definition === undefined) return undefined
    const { field, verb, unit } = limitOf[reason as keyof typeof limitOf]
    const most = storedDefinition.parse(JSON.parse(definition))[field]
    return most === undefined ? undefined : `the harvest ${verb} at most ${amountText(most, unit)}`
  }

  /** `domain` is the detail of what its budget keeps out. A budget that was raised or lifted keeps out nothing any more. */
  function budgetText(job: number, reason: string, domain: string | null): string | undefined {
    const budget = budgets.all({ job }).find((row) => row.domain === domain)
    if (!budget || !(reason in budgetOf)) return undefined
    const { field, unit } = budgetOf[reason as keyof typeof budgetOf]
    const most = budget[field]
    return most === null ? undefined : `${budget.domain} may have ${amountText(most, unit)} in a run`
  }

  return (job, url) => {
    const identity = canonicalUrl(url)
    if (identity === undefined) return undefined
    const known = sql.knownUrl.get({ job, key: createHash('sha256').update(identity).digest() })
    if (!known) return undefined
    const { outcome, reason, detail, isQueued } = known
    if (outcome === 'fetched') return 'fetched, but its capture is not in this view'
    if (outcome === null)
      return isQueued ? 'still in the queue' : 'known from an earlier run, not checked in the last one'
    const more = reason === null ? detail : (limitText(job, reason) ?? budgetText(job, reason, detail) ?? detail)
    return `${outcome === 'failed' ? 'failed' : 'not fetched'}: ${reasonText(reason ?? '')}${more ? ` (${more})` : ''}`
  }
}

export function reasonText(reason: string): string {
  return reason in reasons ? reasons[reason as Reason].text : reason
}

const limitOf = {
  objectLimit: { field: 'maxObjects', verb: 'fetches', unit: 'object' },
  byteLimit: { field: 'maxBytes', verb: 'fetches', unit: 'byte' },
  timeLimit: { field: 'maxSeconds', verb: 'runs for', unit: 'second' },
} as const
const budgetOf = {
  domainObjects: { field: 'objectsMax', unit: 'object' },
  domainBytes: { field: 'bytesMax', unit: 'byte' },
} as const

function amountText(amount: number, unit: string): string {
  return `${amount.toLocaleString('en')} ${unit}${amount === 1 ? '' : 's'}`
}
