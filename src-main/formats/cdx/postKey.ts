/** Folds requests other than GET into the URL that is looked up, so that responses of one URL to different requests
 *  have different keys. This is the convention of pywb 2.6.7 and cdxj-indexer, described by IIPC's guideline "CDX
 *  for non-GET requests". The result cannot be converted back to a body, and the peculiarities of the convention (a form
 *  is unescaped, a JSON value is spelled as Python prints it) are part of the keys of existing indexes. AMF is not
 *  decoded but folded as binary. Requests are matched with responses in requestPairs.ts. */
import { jsonQuery } from './jsonQuery.ts'
import { multipartQuery } from './multipartQuery.ts'
import { formText } from './queryText.ts'

/** A request to be folded into a key. */
export interface FoldableRequest {
  url: string
  method: string
  contentType: string | undefined
  /** Value of the request's Content-Length field. */
  lengthField: string | undefined
  /** Body without transfer coding, otherwise as sent: a browser that repeats the request has the compressed body as
   *  well. */
  body: Uint8Array
}

/** Result of folding a request. */
export interface FoldedRequest {
  /** URL from which the key is made. */
  url: string
  /** Part of the body that was folded in; may be empty. */
  requestBody: string
}

/** Maximum length of the query in characters, as in cdxj-indexer; a longer one is cut. */
const queryCharactersMax = 4096
/** Bytes used of a body without Content-Length, as in cdxj-indexer. */
const bytesWithoutLengthMax = 8192
/** Maximum bytes used of a body. Any kind of body of that size fills the query; only the validity of JSON, or of a
 *  form as UTF-8, could depend on the rest. */
export const requestBodyBytesMax = 1024 * 1024

/** Folds a request. Bodies count for every method, as in the guideline and warcio.js. (cdxj-indexer folds in only
 *  those of POST and PUT, so that all PATCH requests of a URL have the same key.) */
export function foldRequest({ url, method, contentType, lengthField, body }: FoldableRequest): FoldedRequest {
  const name = method.toUpperCase()
  const requestBody = bodyQuery(contentType ?? '', body.subarray(0, usedBytes(lengthField)))
  return { url: foldedUrl({ url, method: name, requestBody }), requestBody }
}

/** Returns the URL for an index line that states method and body. */
export function foldedUrl({ url, method, requestBody }: { url: string; method: string; requestBody: string }): string {
  const query = `__wb_method=${method}${requestBody === '' ? '' : `&${requestBody}`}`
  // A fragment is not part of a key, and would hide a query appended to it.
  const hash = url.indexOf('#')
  const [address, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)]
  return `${address}${address.includes('?') ? '&' : '?'}${query}${fragment}`
}

/** Returns the number of bytes to use: none when the length is not a number. */
function usedBytes(lengthField: string | undefined): number {
  if (lengthField === undefined) return bytesWithoutLengthMax
  return /^\s*\d+\s*$/.test(lengthField) ? Math.min(Number(lengthField), requestBodyBytesMax) : 0
}

/** Converts a body to a query of at most `queryCharactersMax` characters, counted as Python does, by code points. */
function bodyQuery(contentType: string, body: Uint8Array): string {
  const query = uncutQuery(contentType, body)
  if (query.length <= queryCharactersMax) return query
  return Array.from(query.slice(0, 2 * queryCharactersMax))
    .slice(0, queryCharactersMax)
    .join('')
}

/** Chooses the conversion by the media type. A body that is not what its type says is folded as binary. */
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
  // Three bytes become four characters, so no more bytes are needed than the query has characters.
  const used = body.subarray(0, queryCharactersMax)
  return `__wb_post_data=${Buffer.from(used.buffer, used.byteOffset, used.length).toString('base64')}`
}
