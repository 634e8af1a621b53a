/** Details of outcomes: what caused them, in addition to their reasons. Stored in `document.detail` and in the history. */
import { storedMessage, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Data that is compared with that of other documents (a pattern, a domain, a path), or text for users. */
export type Detail = string | Message

/** Returns the text of a database column: data unchanged, so that SQL can compare it; a message as `storedMessage`. */
export function storedDetail(detail: Detail): string {
  return typeof detail === 'string' ? detail : storedMessage(detail)
}

/** Returns a detail in English, for WARC records. */
export function detailText(detail: Detail): string {
  return typeof detail === 'string' ? detail : textOf(detail)
}
