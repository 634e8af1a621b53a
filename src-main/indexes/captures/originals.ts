/** What a revisit may stand for. It names a capture and says which payload that had. A named one may itself be a revisit, of
 *  another, and so on without end; but all of them name one payload, so the original is found by its digest and no chain is
 *  walked. The payload may as well lie under another address, of another host. No record is read here. */
import { surt } from '../../formats/cdx/surt.ts'
import type { CaptureRow, captureStatements } from './captureIndex.sql.ts'

export interface Revisited {
  /** WARC-Refers-To-Target-URI; the revisit's own address where it names none. */
  url: string
  /** WARC-Refers-To-Date; undefined when it does not say. */
  atMs: number | undefined
  /** '' when not known. */
  payloadDigest: string
}

/** What the index has at the address and moment that a revisit names: the reason when its target is lost.
 *  `unsaid`: it names no moment. `nothing`: no capture of that address; `otherMoment`: of that address, none of then.
 *  `otherPayload`: an answer of then, whose payload is another. `revisit`: only revisits and duplicates, whose original is looked
 *  for by digest. */
export type Named = 'original' | 'otherPayload' | 'revisit' | 'otherMoment' | 'nothing' | 'unsaid'

export interface OriginalRows {
  /** Best first. */
  found: CaptureRow[]
  named: Named
}

type Statements = Pick<ReturnType<typeof captureStatements>, 'atMoment' | 'ofPayloadHere' | 'ofPayloadElsewhere'>

export function originalsOf(
  statements: Statements,
  { url, atMs, payloadDigest }: Revisited,
  limit: number,
): OriginalRows {
  const key = surt(url)
  // WARC 1.0 says moments to the second.
  const fromMs = atMs === undefined ? 0 : Math.floor(atMs / 1000) * 1000
  const then = atMs === undefined ? [] : statements.atMoment.all({ key, fromMs, toMs: fromMs + 999, limit })
  const answers = then.filter(({ recordType }) => recordType !== 'revisit' && recordType !== 'duplicate')
  const digest = payloadDigest || (then.find((row) => row.payloadDigest !== '')?.payloadDigest ?? '')
  const [fitting, others] = [answers.filter(fits), answers.filter((row) => !fits(row))]
  const same = digest === '' ? [] : samePayload({ key, digest, atMs: atMs ?? 0, limit })
  return { found: eachOnce([...fitting, ...same, ...others]).slice(0, limit), named: named() }

  /** Digests of two algorithms say nothing about each other. */
  function fits(row: CaptureRow): boolean {
    if (row.payloadDigest === digest || row.payloadDigest === '' || digest === '') return true
    return row.payloadDigest.split(':')[0] !== digest.split(':')[0]
  }

  function samePayload(wanted: { key: string; digest: string; atMs: number; limit: number }): CaptureRow[] {
    const here = statements.ofPayloadHere.all(wanted)
    return here.length >= limit ? here : [...here, ...statements.ofPayloadElsewhere.all(wanted)]
  }

  function named(): Named {
    if (atMs === undefined) return 'unsaid'
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
