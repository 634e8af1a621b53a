/** The moment that a request itself asks for by Accept-Datetime (RFC 7089 2.1.1). */
import type { IncomingHttpHeaders } from 'node:http'
import type { Moment } from '../../indexes/indexes.ts'
import { httpDate } from '../model/httpDate.ts'
import { plainReply, type Reply } from '../model/reply.ts'

const field = 'accept-datetime'

/** Undefined: it asks for none, or for one that cannot be read. */
export function acceptDatetimeOf(fields: IncomingHttpHeaders): Moment | undefined {
  const atMs = httpDate(fields[field]?.toString())
  return atMs === undefined ? undefined : { kind: 'nearest', atMs }
}

/** RFC 7089 4.5.3: who asks for a moment that cannot be read is told so, and not shown another. */
export function refusalOfAcceptDatetime(fields: IncomingHttpHeaders): Reply | undefined {
  const said = fields[field]?.toString()
  if (said === undefined || acceptDatetimeOf(fields) !== undefined) return undefined
  const sentence = `The Accept-Datetime is no date as HTTP writes them: ${said.slice(0, 200)}.`
  return plainReply(400, sentence, [['X-Loupe', 'refused']])
}
