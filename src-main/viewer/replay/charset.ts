/** Character sets for documents that were harvested from folders (`contract/viewerAddresses.ts`). No file of this machine is
 *  read. */
import { isUtf8 } from 'node:buffer'
import type { Field, Reply } from '../model/reply.ts'

/** Adds charset=utf-8 to a text that is UTF-8. No server declared it, and browsers guess it only for files that they read
 *  themselves. Partial and streamed replies stay as they are. */
export function withCharset(reply: Reply): Reply {
  const { status, body, capture } = reply
  if (status !== 200 || capture === undefined || !(body instanceof Uint8Array) || !isUtf8(body)) return reply
  const withUtf8 = ([name, value]: Field): Field =>
    name.toLowerCase() === 'content-type' && /^text\/[^;]+$/i.test(value)
      ? [name, `${value}; charset=utf-8`]
      : [name, value]
  return { ...reply, fields: reply.fields.map(withUtf8) }
}
