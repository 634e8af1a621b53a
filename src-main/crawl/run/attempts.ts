/** Describes one request to a server as an entry of the history. */
import { truncationMessage } from '../../contract/states/outcomes.ts'
import { storedMessage } from '../../contract/words/message.ts'
import { storedDetail } from '../model/detail.ts'
import type { Attempt } from '../history/activities.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import type { DocumentToFetch } from '../model/document.ts'

/** Returns the entry for the outcome of a request. Conditional requests have kinds of their own in the history. */
export function attemptOf(
  { url, role, previous }: Pick<DocumentToFetch, 'url' | 'role' | 'previous'>,
  outcome: FetchOutcome,
): Attempt {
  const { startedMs: startMs, durationMs } = outcome
  const kind: Attempt['kind'] = role === 'robots' ? 'robots' : 'fetch'
  const base = { kind, identifier: url, startMs, durationMs }
  if (outcome.kind === 'failed')
    return { ...base, result: outcome.reason, description: storedDetail(outcome.detail) || null }
  const { bytes } = outcome.response
  if (outcome.kind === 'local')
    return { ...base, result: 'taken', bytes, description: outcome.detail && storedDetail(outcome.detail) }
  const { head, truncated } = outcome
  return {
    ...base,
    kind: (previous && recheckKinds[head.status]) ?? kind,
    result: String(head.status),
    bytes,
    description: truncated ? storedMessage(truncationMessage(truncated)) : null,
  }
}

/** Meaning of an answer for a document that was captured before (RFC 9110 sections 15.4.5, 15.5.5 and 15.5.11). */
const recheckKinds: Partial<Record<number, Attempt['kind']>> = {
  304: 'recheckUnchanged',
  404: 'documentGone',
  410: 'documentGone',
}
