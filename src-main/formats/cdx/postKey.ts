/** Requests other than GET folded into the address that is looked up, so that two answers of one address to different
 *  requests lie under different keys: the convention of pywb 2.6.7 and cdxj-indexer, which IIPC's guideline "CDX for
 *  non-GET requests" describes. It is a convention, not a coding: what it makes of a body cannot be turned back, and its
 *  oddities (a form is unescaped, a value of JSON is spelled as Python prints it) are part of the keys of existing
 *  indexes. Deliberately not here: AMF, which is folded as binary; which request belongs to which answer (requestPairs.ts). */
import { jsonQuery } from './jsonQuery.ts'
import { multipartQuery } from './multipartQuery.ts'
import { formText } from './queryText.ts'

export interface FoldableRequest {
  url: string
  method: string
  contentType: string | undefined
  /** Content-Length as the request has it. */
  lengthField: string | undefined
  /** Without transfer coding, as it was sent else: a browser that asks again has the packed body as well. */
  body: Uint8Array
}

export interface FoldedRequest {
  /** Of which the key is made. */
  url: string
  /** What was folded in of the body; empty when nothing. */
  requestBody: string
}

/** As cdxj-indexer: what is longer is cut, in characters. */
const queryCharactersMax = 4096
/** As cdxj-indexer, of a request that does not say its length. */
const unsaidBytesMax = 8192
/** More of a body is not looked at. Whatever kind it is, this fills the query; only whether JSON is whole, and a form
 *  UTF-8, could show after it. */
export const requestBodyBytesMax = 1024 * 1024

/** Bodies count whatever the method is, as the guideline and warcio.js have it. (cdxj-indexer folds in those of POST and
 *  PUT alone, so that every PATCH of an address would meet every other.) */
export function foldRequest({ url, method, contentType, lengthField, body }: FoldableRequest): FoldedRequest {
  const name = method.toUpperCase()
  const requestBody = bodyQuery(contentType ?? '', body.subarray(0, usedBytes(lengthField)))
  return { url: foldedUrl({ url, method: name, requestBody }), requestBody }
}

/** Of an index line, which names method and body. */
export function foldedUrl({ url, method, requestBody }: { url: string; method: string; requestBody: string }): string {
  const query = `__wb_method=${method}${requestBody === '' ? '' : `&${requestBody}`}`
  // A fragment is no part of a key, and would take the query with it.
  const hash = url.indexOf('#')
  const [address, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)]
  return `${address}${address.includes('?') ? '&' : '?'}${query}${fragment}`
}

/** A length that is no number is none: nothing is read. */
function usedBytes(lengthField: string | undefined): number {
  if (lengthField === undefined) return unsaidBytesMax
  return /^\s*\d+\s*$/.test(lengthField) ? Math.min(Number(lengthField), requestBodyBytesMax) : 0
}

function bodyQuery(contentType: string, body: Uint8Array): string {
  const query = uncutQuery(contentType, body)
  if (query.length <= queryCharactersMax) return query
  return Array.from(query.slice(0, 2 * queryCharactersMax))
    .slice(0, queryCharactersMax)
    .join('')
}

function uncutQuery(contentType: string, body: Uint8Array): string {
  if (body.length === 0) return ''
  if (contentType.startsWith('application/x-www-form-urlencoded')) return formText(body) ?? binaryQuery(body)
  if (contentType.startsWith('multipart/'))
    return multipartQuery(contentType, body, queryCharactersMax) ?? binaryQuery(body)
  if (contentType.startsWith('application/json')) return jsonQuery(body) ?? ''
  if (contentType.startsWith('text/plain')) return jsonQuery(body) ?? binaryQuery(body)
  return binaryQuery(body)
}

function binaryQuery(body: Uint8Array): string {
  // Three bytes are four characters: no more is needed than the query takes.
  const used = body.subarray(0, queryCharactersMax)
  return `__wb_post_data=${Buffer.from(used.buffer, used.byteOffset, used.length).toString('base64')}`
}
