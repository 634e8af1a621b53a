/** Explains to the user why a job has no capture of an address: the rule, the log line, the limit with its value and owner,
 *  or the error. Which captures exist, and which one answers, only an index knows. */
import { createHash } from 'node:crypto'
import { storedDefinition } from '../../contract/services/definition.ts'
import { isReason, reasonMessage } from '../../contract/states/outcomes.ts'
import { textOf } from '../../contract/words/render.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import { ranWith } from '../definition/storedDefinition.ts'
import { urlStatements } from '../model/jobDocuments.sql.ts'
import { liveStatements } from '../live/live.sql.ts'

/** Returns a function that explains a missing capture; it returns undefined if the job never found the URL. */
export function whyMissingIn(store: Store): (job: number, url: string) => string | undefined {
  const sql = urlStatements(store)
  const { budgets } = liveStatements(store)

  /** Names the limit that excluded a URL. Limits are not stored with the URLs they exclude, so the limit is read from the
   *  definition that the run used. */
  function limitText(job: number, reason: string): string | undefined {
    const definition = ranWith(store, job)
    if (!(reason in limitOf) || definition === undefined) return undefined
    const { field, verb, unit } = limitOf[reason as keyof typeof limitOf]
    const most = storedDefinition.parse(JSON.parse(definition))[field]
    return most === undefined ? undefined : `the harvest ${verb} at most ${amountText(most, unit)}`
  }

  /** Names the budget that excluded a URL. `domain` is the detail stored with the exclusion. A budget that was raised or
   *  lifted excludes nothing any more. */
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

/** Returns the sentence for a reason; an unknown reason, stored by another version, is returned unchanged. */
export function reasonText(reason: string): string {
  return isReason(reason) ? textOf(reasonMessage(reason)) : reason
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
