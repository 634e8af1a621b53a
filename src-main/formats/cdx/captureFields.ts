/** Fields of a capture in addition to the usual ones, by the names that cdxj-indexer has for them: `http:date` of the answer's
 *  head, `req.http:cookie` of its request's, `method` and `referrer` of the request, else a field of the record's header
 *  (`warc-type`). Deliberately not here: the usual ones (capture.ts). */
import { fieldOf, type HttpHead, type RequestHead } from '../http/http.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import type { RequestRead } from './blockReading.ts'

export function isRequestField(name: string): boolean {
  return name === 'method' || name === 'referrer' || name.startsWith('req.http:')
}

export function isHeadField(name: string): boolean {
  return name.startsWith('http:')
}

/** Those that the record itself tells. */
export function ownFields(
  names: readonly string[],
  record: ArchiveRecord,
  head: HttpHead | RequestHead | undefined,
): Record<string, string> {
  return chosen(names, (name) => {
    if (isRequestField(name)) return undefined
    if (isHeadField(name)) return head && fieldOf(head, name.slice('http:'.length))
    return name === 'warc-type' ? record.type : recordField(record, name)
  })
}

/** With those that the request tells, in the order of `names`. */
export function withRequest(
  names: readonly string[],
  fields: Record<string, string>,
  { method, head }: RequestRead,
): Record<string, string> {
  return chosen(names, (name) => {
    if (name === 'method') return method
    if (name === 'referrer') return head && fieldOf(head, 'referer')
    if (isRequestField(name)) return head && fieldOf(head, name.slice('req.http:'.length))
    return fields[name]
  })
}

function chosen(names: readonly string[], valueOf: (name: string) => string | undefined): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const name of names) {
    const value = valueOf(name)
    if (value !== undefined && value !== '') fields[name] = value
  }
  return fields
}
