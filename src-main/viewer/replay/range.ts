/** Parses the Range field of a request (RFC 9110 14) for a representation of known length. Pure. */
import { rangesMax } from '../model/limits.ts'

/** Bytes from first to last, both included, as in Content-Range. */
export interface Range {
  first: number
  last: number
}

/** What a Range field asks for. */
export type RangesAnswer =
  /** No range is sent, but the whole representation with 200. */
  | { kind: 'whole' }
  /** One or more ranges in ascending order, with a gap between any two. `asAsked` holds their indexes in the order of the
   *  request. */
  | { kind: 'parts'; ranges: readonly [Range, ...Range[]]; asAsked: readonly number[] }
  | { kind: 'unsatisfiable' }

/** The same for replies with at most one range. */
export type RangeAnswer = { kind: 'whole' } | ({ kind: 'part' } & Range) | { kind: 'unsatisfiable' }

/** Ranges of a field. Fields that are absent, malformed, in another unit or with more than `rangesMax` ranges are ignored, as
 *  14.2 allows. Ranges that overlap or touch are merged and sorted, so a long body is read once, and no byte is sent twice. */
export function rangesOf(field: string | undefined, length: number): RangesAnswer {
  const [, set] = /^\s*bytes\s*=(.*)$/i.exec(field ?? '') ?? []
  // Empty list members are ignored (5.6.1).
  const asked = (set ?? '').split(',').flatMap((text) => (text.trim() === '' ? [] : [rangeIn(text, length)]))
  if (asked.length === 0 || asked.length > rangesMax || asked.includes('invalid')) return { kind: 'whole' }
  const inOrder = asked.filter((range) => typeof range === 'object')
  const [first, ...others] = inOrder.toSorted((a, b) => a.first - b.first)
  if (first === undefined) return { kind: 'unsatisfiable' }
  const ranges: [Range, ...Range[]] = [first]
  for (const range of others) {
    const before = ranges.at(-1) ?? first
    if (range.first > before.last + 1) ranges.push(range)
    else ranges[ranges.length - 1] = { first: before.first, last: Math.max(before.last, range.last) }
  }
  const placeOf = (range: Range) => ranges.findIndex(({ first, last }) => first <= range.first && range.first <= last)
  return { kind: 'parts', ranges, asAsked: [...new Set(inOrder.map(placeOf))] }
}

/** For replies with at most one range. Requests for several get the whole representation. */
export function rangeOf(field: string | undefined, length: number): RangeAnswer {
  const answer = rangesOf(field, length)
  if (answer.kind !== 'parts') return answer
  return answer.ranges.length === 1 ? { kind: 'part', ...answer.ranges[0] } : { kind: 'whole' }
}

/** One range (14.1.2). A last position before the first makes the whole field invalid, not unsatisfiable. */
function rangeIn(text: string, length: number): Range | 'invalid' | 'unsatisfiable' {
  const [, from, to] = /^(\d{0,15})\s*-\s*(\d{0,15})$/.exec(text.trim()) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'invalid'
  if (from === '') return suffix(Number(to), length)
  const first = Number(from)
  if (to !== '' && Number(to) < first) return 'invalid'
  if (first >= length) return 'unsatisfiable'
  return { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) }
}

/** A suffix such as `bytes=-500`: the last 500 bytes, or all if there are fewer. */
function suffix(wanted: number, length: number): Range | 'unsatisfiable' {
  if (wanted === 0 || length === 0) return 'unsatisfiable'
  return { first: Math.max(0, length - wanted), last: length - 1 }
}

/** Parses the Content-Range of an archived 206 (14.4), such as `bytes 0-499/1234`. Undefined if it does not say which bytes it
 *  has. */
export function contentRange(
  field: string | undefined,
): { first: number; last: number; total: number | undefined } | undefined {
  const [, first, last, total] = /^\s*bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/i.exec(field ?? '') ?? []
  if (first === undefined || last === undefined || Number(last) < Number(first)) return undefined
  return { first: Number(first), last: Number(last), total: total === '*' ? undefined : Number(total) }
}

/** Yields these ranges of a stream, each part with the index of its range. Stops reading after the last one. */
export async function* slices(
  body: AsyncIterable<Uint8Array>,
  ranges: readonly Range[],
): AsyncGenerator<{ range: number; bytes: Uint8Array }> {
  let at = 0
  let range = 0
  for await (const bytes of body) {
    for (let wanted = ranges[range]; wanted !== undefined && wanted.first < at + bytes.length; wanted = ranges[range]) {
      const part = bytes.subarray(Math.max(0, wanted.first - at), wanted.last + 1 - at)
      if (part.length > 0) yield { range, bytes: part }
      if (wanted.last >= at + bytes.length) break
      range += 1
    }
    at += bytes.length
    if (range >= ranges.length) return
  }
}
