/** Explains to the user why a job has no capture of a URL: the rule, the log line, the limit with its value and owner,
 *  or the error. Which captures exist, and which one answers, only an index knows. */
import { createHash } from 'node:crypto'
import { storedDefinition } from '../../contract/services/definition.ts'
import { isReason, reasonMessage } from '../../contract/states/outcomes.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import { ranWith } from '../definition/storedDefinition.ts'
import { urlStatements } from '../model/jobDocuments.sql.ts'
import { liveStatements } from '../live/live.sql.ts'

/** Returns a function that explains a missing capture; it returns undefined if the job never found the URL. */
export function whyMissingIn(store: Store): (job: number, url: string) => Message | undefined {
  const sql = urlStatements(store)
  const { budgets } = liveStatements(store)

  /** Names the limit that excluded a URL. Limits are not stored with the URLs they exclude, so the limit is read from the
   *  definition that the run used. */
  function limitMessage(job: number, reason: string): Message | undefined {
    const definition = ranWith(store, job)
    if (!(reason in limitOf) || definition === undefined) return undefined
    const { field, code } = limitOf[reason as keyof typeof limitOf]
    const most = storedDefinition.parse(JSON.parse(definition))[field]
    return most === undefined ? undefined : message(code, { most })
  }

  /** Names the budget that excluded a URL. `domain` is the detail stored with the exclusion. A budget that was raised or
   *  lifted excludes nothing any more. */
  function budgetMessage(job: number, reason: string, domain: string | null): Message | undefined {
    const budget = budgets.all({ job }).find((row) => row.domain === domain)
    if (!budget || !(reason in budgetOf)) return undefined
    const { field, code } = budgetOf[reason as keyof typeof budgetOf]
    const most = budget[field]
    return most === null ? undefined : message(code, { domain: budget.domain, most })
  }

  return (job, url) => {
    const identity = canonicalUrl(url)
    if (identity === undefined) return undefined
    const known = sql.knownUrl.get({ job, key: createHash('sha256').update(identity).digest() })
    if (!known) return undefined
    const { outcome, reason, detail, isQueued } = known
    if (outcome === 'fetched') return message('missing.fetched')
    if (outcome === null) return message(isQueued ? 'missing.queued' : 'missing.notChecked')
    const because = reasonOf(reason ?? '')
    const more = reason === null ? undefined : (limitMessage(job, reason) ?? budgetMessage(job, reason, detail))
    const cause = more ?? (detail ? messageFrom(detail) : undefined)
    const why = cause === undefined ? because : message('reason.detail', { reason: because, detail: cause })
    return message(outcome === 'failed' ? 'missing.failedUrl' : 'missing.excluded', { why })
  }
}

/** Returns the text of a reason; an unknown reason, stored by another version, is its own text. */
export function reasonOf(reason: string): Message {
  return isReason(reason) ? reasonMessage(reason) : message('text', { text: reason })
}

const limitOf = {
  objectLimit: { field: 'maxObjects', code: 'missing.limit.objects' },
  byteLimit: { field: 'maxBytes', code: 'missing.limit.bytes' },
  noResponse: { field: 'maxNoResponseSeconds', code: 'missing.limit.noResponse' },
  inactive: { field: 'maxInactiveSeconds', code: 'missing.limit.inactive' },
  timeLimit: { field: 'maxSeconds', code: 'missing.limit.seconds' },
} as const
const budgetOf = {
  domainObjects: { field: 'objectsMax', code: 'missing.budget.objects' },
  domainBytes: { field: 'bytesMax', code: 'missing.budget.bytes' },
} as const
