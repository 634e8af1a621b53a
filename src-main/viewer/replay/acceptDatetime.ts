/** The Accept-Datetime field of a request (RFC 7089 2.1.1). */
import { message } from '../../contract/words/message.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Moment } from '../../indexes/indexes.ts'
import { httpDate } from '../model/httpDate.ts'
import { plainReply, type Reply } from '../model/reply.ts'

const field = 'accept-datetime'

/** The moment it asks for. Undefined if the field is absent or invalid. */
export function acceptDatetimeOf(fields: IncomingHttpHeaders): Moment | undefined {
  const atMs = httpDate(fields[field]?.toString())
  return atMs === undefined ? undefined : { kind: 'nearest', atMs }
}

/** The reply to an invalid Accept-Datetime (RFC 7089 4.5.3): an error and not another moment. */
export function refusalOfAcceptDatetime(fields: IncomingHttpHeaders): Reply | undefined {
  const text = fields[field]?.toString()
  if (text === undefined || acceptDatetimeOf(fields) !== undefined) return undefined
  const refused = message('viewer.refused.acceptDatetime', { date: text.slice(0, 200) })
  return plainReply(400, refused, [['X-Loupe', 'refused']])
}
