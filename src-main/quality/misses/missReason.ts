/** The reason of a miss in one word, by which misses are grouped. */
import { isReason, reasonMessage } from '../../contract/states/outcomes.ts'
import { missReasons, type MissReason } from '../../contract/services/misses.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Fate } from '../../crawl/jobs/fates.ts'

/** Returns the reason for what became of a URL that a job has not captured. A job of imported files knows nothing about URLs. */
export function reasonIn(fate: Fate, kind: 'event' | 'import'): string {
  if (kind === 'import') return 'unknown'
  if (fate.is === 'notFetched') return fate.reason
  return fate.is === 'captured' ? 'notChecked' : fate.is
}

/** Whether the reason is what is known about a miss, whatever became of its URL in the harvest. */
export function isOfRequest(reason: string): boolean {
  return reason === 'method' || reason === 'recapture'
}

/** Whether a harvest can repeat a request: it sends GET only. */
export function isHarvestable(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns the reason why a request got no answer. */
export function requestReasonIn(method: string, fate: Fate, kind: 'event' | 'import'): string {
  return isHarvestable(method) ? reasonIn(fate, kind) : 'method'
}

/** Returns the text of a reason. One that this version does not know is its own text. */
export function reasonLabel(reason: string): Message {
  if (isMissReason(reason)) return message(`miss.reason.${reason}`)
  return isReason(reason) ? reasonMessage(reason) : message('text', { text: reason })
}

function isMissReason(reason: string): reason is MissReason {
  return missReasons.some((known) => known === reason)
}
