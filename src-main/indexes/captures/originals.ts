/** Finds originals of a revisit. A revisit names a capture and its payload digest. The named capture may be a revisit too, and
 *  so on, but all of them have the same payload, so the original is found by digest and no chain is followed. It may have
 *  another URL and host. No record is read here. */
import { surt } from '../../formats/cdx/surt.ts'
import type { CaptureRow, captureStatements } from './captureIndex.sql.ts'

/** What a revisit says about its original. */
export interface Revisited {
  /** WARC-Refers-To-Target-URI, or the URL of the revisit if absent. */
  url: string
  /** WARC-Refers-To-Date. Undefined if absent. */
  atMs: number | undefined
  /** Digest of the payload; '' if it is not known. */
  payloadDigest: string
}

/** What the index has at the URL and time that a revisit names, in order to explain why its original is lost. `noMoment`: the
 *  revisit names no time. `nothing`: no capture of the URL. `otherMoment`: captures of other times only. `otherPayload`: a
 *  response of that time with another payload. `revisit`: only revisits and duplicates, whose original is searched by digest. */
export type Named = 'original' | 'otherPayload' | 'revisit' | 'otherMoment' | 'nothing' | 'noMoment'

/** The originals that were found, and what the revisit names. */
export interface OriginalRows {
  /** Captures, best first. */
  found: CaptureRow[]
  named: Named
}

type Statements = Pick<ReturnType<typeof captureStatements>, 'atMoment' | 'ofPayloadHere' | 'ofPayloadElsewhere'>

/** Returns at most `limit` captures that may be the original. */
export function originalsOf(
  statements: Statements,
  { url, atMs, payloadDigest }: Revisited,
  limit: number,
): OriginalRows {
  const key = surt(url)
  // Times in WARC 1.0 have a precision of one second.
  const fromMs = atMs === undefined ? 0 : Math.floor(atMs / 1000) * 1000
  const then = atMs === undefined ? [] : statements.atMoment.all({ key, fromMs, toMs: fromMs + 999, limit })
  const answers = then.filter(({ recordType }) => recordType !== 'revisit' && recordType !== 'duplicate')
  const digest = payloadDigest || (then.find((row) => row.payloadDigest !== '')?.payloadDigest ?? '')
  const [fitting, others] = [answers.filter(fits), answers.filter((row) => !fits(row))]
  const same = digest === '' ? [] : samePayload({ key, digest, atMs: atMs ?? 0, limit })
  return { found: eachOnce([...fitting, ...same, ...others]).slice(0, limit), named: named() }

  /** Whether the payloads may be equal. Digests of different algorithms cannot be compared. */
  function fits(row: CaptureRow): boolean {
    if (row.payloadDigest === digest || row.payloadDigest === '' || digest === '') return true
    return row.payloadDigest.split(':')[0] !== digest.split(':')[0]
  }

  function samePayload(wanted: { key: string; digest: string; atMs: number; limit: number }): CaptureRow[] {
    const here = statements.ofPayloadHere.all(wanted)
    return here.length >= limit ? here : [...here, ...statements.ofPayloadElsewhere.all(wanted)]
  }

  function named(): Named {
    if (atMs === undefined) return 'noMoment'
    if (fitting.length > 0) return 'original'
    if (others.length > 0) return 'otherPayload'
    if (then.length > 0) return 'revisit'
    const ofAddress = statements.atMoment.all({ key, fromMs: -Infinity, toMs: Infinity, limit: 1 })
    return ofAddress.length > 0 ? 'otherMoment' : 'nothing'
  }
}

function eachOnce(rows: CaptureRow[]): CaptureRow[] {
  return [...new Map(rows.map((row) => [`${row.offset} ${row.filename}`, row])).values()]
}
