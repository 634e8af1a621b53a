/** Details of outcomes: what caused them, in addition to their reasons. Stored in `document.detail` and in the history. */
import { messageFrom, storedMessage, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Data that is compared with that of other documents (a pattern, a domain, a path), or text for users. */
export type Detail = string | Message

/** Returns the text of a database column: data unchanged, so that SQL can compare it; a message as `storedMessage`. */
export function storedDetail(detail: Detail): string {
  return typeof detail === 'string' ? detail : storedMessage(detail)
}

/** Returns a stored detail in English, for logs and WARC records. */
export function loggedDetail(stored: string): string {
  return textOf(messageFrom(stored))
}
