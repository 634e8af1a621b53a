/** The link of the chain that lets documents of folders be seen: what is asked for under the name that stands for them is looked
 *  for under its `file:` address (`contract/fileAddresses.ts`). Nothing is read from this machine's own files. */
import { isUtf8 } from 'node:buffer'
import { archivedAddress } from '../contract/fileAddresses.ts'
import type { Field, Reply, Resolver } from './resolvers.ts'

export function localFiles(next: Resolver): Resolver {
  return async (request) => {
    const url = archivedAddress(request.url)
    const { referer } = request.fields
    const fields = referer === undefined ? request.fields : { ...request.fields, referer: archivedAddress(referer) }
    const reply = await next({ ...request, url, fields })
    return url === request.url ? reply : withCharset(reply)
  }
}

/** No server said in which characters a file is written, and a browser guesses only for files that it reads itself: so whoever
 *  gives it out says that it is UTF-8 where its bytes are. A part, or more than is read ahead, is left to the guess. */
function withCharset(reply: Reply): Reply {
  const { status, body, capture } = reply
  if (status !== 200 || capture === undefined || !(body instanceof Uint8Array) || !isUtf8(body)) return reply
  const said = ([name, value]: Field): Field =>
    name.toLowerCase() === 'content-type' && /^text\/[^;]+$/i.test(value)
      ? [name, `${value}; charset=utf-8`]
      : [name, value]
  return { ...reply, fields: reply.fields.map(said) }
}
