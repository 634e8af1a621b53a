/** Documents of folders, which stand under a name of ours (`contract/text/fileAddresses.ts`): nothing is read from this machine's own
 *  files. */
import { isUtf8 } from 'node:buffer'
import type { Field, Reply } from '../model/reply.ts'

/** No server said in which characters a file is written, and a browser guesses only for files that it reads itself: so whoever
 *  gives it out says that it is UTF-8 where its bytes are. A part, or more than is read ahead, is left to the guess. */
export function withCharset(reply: Reply): Reply {
  const { status, body, capture } = reply
  if (status !== 200 || capture === undefined || !(body instanceof Uint8Array) || !isUtf8(body)) return reply
  const said = ([name, value]: Field): Field =>
    name.toLowerCase() === 'content-type' && /^text\/[^;]+$/i.test(value)
      ? [name, `${value}; charset=utf-8`]
      : [name, value]
  return { ...reply, fields: reply.fields.map(said) }
}
