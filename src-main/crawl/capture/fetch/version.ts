/** The version of a document: by what its server names it (ETag, Last-Modified) and by its payload digest; what is asked of
 *  the server with it, and how an answer stands to what was captured before. Pure. */
import type { Comparison } from '../../model/recheckResults.ts'
import type { Validators } from '../../model/document.ts'
import { fieldOf, type HttpHead } from '../../../formats/http/http.ts'
import type { RequestField } from './fetch.ts'
import { versionFieldCharactersMax } from '../../model/limits.ts'

/** The last whole answer that was captured. */
export interface KnownVersion extends Validators {
  status: number
  /** Null where no record of it holds a payload. */
  payloadDigest: string | null
}

/** RFC 9110 section 8.8.3; what is no entity tag would come back to the server as a broken list. */
const etagPattern = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/
/** RFC 9110 section 5.6.7: what senders must write. Servers compare it as text, so other spellings go back as they came. */
const datePattern = /^[\x20-\x7e]+$/

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

/** Fields of the request. Both are sent: a server that knows entity tags ignores the date (RFC 9110 section 13.1.3). Only of
 *  a 200: to whatever else the server had to say, "as before" would be no answer that anybody can be shown. */
export function conditionsFor(known: KnownVersion | undefined): RequestField[] {
  if (known?.status !== 200 || known.payloadDigest === null) return []
  const { etag, lastModified } = known
  return [
    ...(etag === null ? [] : [['If-None-Match', etag] as const]),
    ...(lastModified === null ? [] : [['If-Modified-Since', lastModified] as const]),
  ]
}

/** RFC 9110 sections 15.5.5 and 15.5.11. Anything else that is no success may be of the moment. */
const goneStatuses: ReadonlySet<number> = new Set([404, 410])

/** How an answer stands to what was captured before. A page that was never there has not gone. */
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
