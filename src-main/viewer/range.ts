/** The Range field of a request (RFC 9110 14), for one representation of known length. Pure. */

export type RangeAnswer =
  /** There is no range to honour: the whole is sent with 200. */
  | { kind: 'whole' }
  /** Bytes first…last, both included, as Content-Range counts them. */
  | { kind: 'part'; first: number; last: number }
  | { kind: 'unsatisfiable' }

const whole: RangeAnswer = { kind: 'whole' }

/** A field that is absent, malformed, in another unit or asks for several ranges is ignored, as 14.2 allows: several
 *  ranges would need a multipart body that no browser asks for. */
export function rangeOf(field: string | undefined, length: number): RangeAnswer {
  const [, from, to] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(field ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return whole
  if (from === '') return suffix(Number(to), length)
  const first = Number(from)
  // 14.1.1: a last position before the first makes the field invalid, not unsatisfiable.
  if (to !== '' && Number(to) < first) return whole
  if (first >= length) return { kind: 'unsatisfiable' }
  return { kind: 'part', first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) }
}

/** `bytes=-500`: the last 500; more than there is means all of it. */
function suffix(wanted: number, length: number): RangeAnswer {
  if (wanted === 0 || length === 0) return { kind: 'unsatisfiable' }
  return { kind: 'part', first: Math.max(0, length - wanted), last: length - 1 }
}

/** RFC 9110 13.1.5: a range is honoured only while the browser's part is of this same representation. Weak validators
 *  never match. */
export function ifRangeAgrees(
  field: string | undefined,
  kept: { etag: string | undefined; lastModified: string | undefined },
): boolean {
  if (field === undefined) return true
  const asked = field.trim()
  if (asked.startsWith('W/')) return false
  if (asked.startsWith('"')) return asked === kept.etag?.trim()
  return asked !== '' && asked === kept.lastModified?.trim()
}

/** `bytes 0-499/1234` of a stored partial answer (14.4); undefined when it does not say where its bytes belong. */
export function contentRange(
  field: string | undefined,
): { first: number; last: number; total: number | undefined } | undefined {
  const [, first, last, total] = /^\s*bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/i.exec(field ?? '') ?? []
  if (first === undefined || last === undefined || Number(last) < Number(first)) return undefined
  return { first: Number(first), last: Number(last), total: total === '*' ? undefined : Number(total) }
}

/** Bytes first…last of a stream, which is left as soon as they have passed. */
export async function* slice(
  body: AsyncIterable<Uint8Array>,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const bytes of body) {
    const part = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at))
    if (part.length > 0) yield part
    at += bytes.length
    if (at > last) return
  }
}
