/** Additional fields of a capture, under the names of cdxj-indexer: `http:date` of the response's head,
 *  `req.http:cookie` of its request's head, `method` and `referrer` of the request; any other name is a field of the
 *  record's header (`warc-type`). The usual fields are in capture.ts. */
import { fieldOf, type HttpHead, type RequestHead } from '../http/http.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import type { RequestRead } from './blockReading.ts'

/** Returns true for a field that is taken from the request. */
export function isRequestField(name: string): boolean {
  return name === 'method' || name === 'referrer' || name.startsWith('req.http:')
}

/** Returns true for a field that is taken from the HTTP head of the record. */
export function isHeadField(name: string): boolean {
  return name.startsWith('http:')
}

/** Returns the fields that are taken from the record itself. */
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

/** Adds the fields that are taken from the request, in the order of `names`. */
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
