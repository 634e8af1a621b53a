/** The version of a document, identified by its validators (ETag, Last-Modified) and its payload digest: conditional requests,
 *  and the comparison of an answer with the earlier capture. Pure. */
import type { Comparison } from '../../../contract/shapes/comparisons.ts'
import type { Validators } from '../../model/document.ts'
import { fieldOf, type HttpHead } from '../../../formats/http/http.ts'
import type { RequestField } from './request.ts'
import { versionFieldCharactersMax } from '../../model/limits.ts'

/** The last complete answer that was captured. */
export interface KnownVersion extends Validators {
  status: number
  /** Null if no record of it holds a payload. */
  payloadDigest: string | null
}

/** An entity tag (RFC 9110 section 8.8.3). Anything else would be sent back to the server as a malformed list. */
const etagPattern = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/
/** Printable ASCII, looser than the date of RFC 9110 section 5.6.7: servers compare dates as text, so any spelling is sent back
 *  as received. */
const datePattern = /^[\x20-\x7e]+$/

/** Validators in the header of an answer; null where missing, malformed or longer than `versionFieldCharactersMax`. */
export function validatorsOf(head: HttpHead): Validators {
  const etag = fieldOf(head, 'etag')?.trim() ?? ''
  const lastModified = fieldOf(head, 'last-modified')?.trim() ?? ''
  const isDate = datePattern.test(lastModified) && !Number.isNaN(Date.parse(lastModified))
  return {
    etag: etagPattern.test(etag) ? shortOrNull(etag) : null,
    lastModified: isDate ? shortOrNull(lastModified) : null,
  }
}

function shortOrNull(text: string): string | null {
  return text.length <= versionFieldCharactersMax ? text : null
}

/** Fields of a conditional request. Both are sent: a server that supports entity tags ignores the date (RFC 9110 section
 *  13.1.3). Only for a 200 with a payload; a 304 that refers to anything else would leave nothing to replay. */
export function conditionsFor(known: KnownVersion | undefined): RequestField[] {
  if (known?.status !== 200 || known.payloadDigest === null) return []
  const { etag, lastModified } = known
  return [
    ...(etag === null ? [] : [['If-None-Match', etag] as const]),
    ...(lastModified === null ? [] : [['If-Modified-Since', lastModified] as const]),
  ]
}

/** Statuses that mean a document is gone (RFC 9110 sections 15.5.5 and 15.5.11); other failures may be temporary. */
const goneStatuses: ReadonlySet<number> = new Set([404, 410])

/** Compares an answer with the earlier capture. A page that was missing before does not count as gone. */
export function compare(
  known: Pick<KnownVersion, 'status' | 'payloadDigest'> | undefined,
  answer: { status: number; payloadDigest: string | null },
): Comparison {
  if (known === undefined) return 'new'
  if (answer.status === 304) return 'unchanged'
  if (goneStatuses.has(answer.status) && !goneStatuses.has(known.status)) return 'gone'
  const isSame = known.status === answer.status && known.payloadDigest === answer.payloadDigest
  return isSame ? 'unchanged' : 'changed'
}
