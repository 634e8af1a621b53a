/** The Range field of a request (RFC 9110 14), for one representation of known length. Pure. */
import { rangesMax } from '../model/limits.ts'

/** Bytes first…last, both included, as Content-Range counts them. */
export interface Range {
  first: number
  last: number
}

export type RangesAnswer =
  /** There is no range to honour: the whole is sent with 200. */
  | { kind: 'whole' }
  /** One or more, from the front to the back; between any two lie bytes that nobody asked for. `asAsked`: in which order they were
   *  asked for, as places in `ranges`. */
  | { kind: 'parts'; ranges: readonly [Range, ...Range[]]; asAsked: readonly number[] }
  | { kind: 'unsatisfiable' }

export type RangeAnswer = { kind: 'whole' } | ({ kind: 'part' } & Range) | { kind: 'unsatisfiable' }

/** A field that is absent, malformed, in another unit or asks for more than `rangesMax` is ignored, as 14.2 allows. Those that
 *  overlap or touch become one, and all are put in order: so a long body is read once, and never is more sent than it has. */
export function rangesOf(field: string | undefined, length: number): RangesAnswer {
  const [, set] = /^\s*bytes\s*=(.*)$/i.exec(field ?? '') ?? []
  // Empty members of a list count for nothing (5.6.1).
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

/** For who gives one part at most: what asks for several gets the whole. */
export function rangeOf(field: string | undefined, length: number): RangeAnswer {
  const answer = rangesOf(field, length)
  if (answer.kind !== 'parts') return answer
  return answer.ranges.length === 1 ? { kind: 'part', ...answer.ranges[0] } : { kind: 'whole' }
}

/** 14.1.2. A last position before the first makes the whole field invalid, not unsatisfiable. */
function rangeIn(text: string, length: number): Range | 'invalid' | 'unsatisfiable' {
  const [, from, to] = /^(\d{0,15})\s*-\s*(\d{0,15})$/.exec(text.trim()) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'invalid'
  if (from === '') return suffix(Number(to), length)
  const first = Number(from)
  if (to !== '' && Number(to) < first) return 'invalid'
  if (first >= length) return 'unsatisfiable'
  return { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) }
}

/** `bytes=-500`: the last 500; more than there is means all of it. */
function suffix(wanted: number, length: number): Range | 'unsatisfiable' {
  if (wanted === 0 || length === 0) return 'unsatisfiable'
  return { first: Math.max(0, length - wanted), last: length - 1 }
}

/** `bytes 0-499/1234` of a stored partial answer (14.4); undefined when it does not say where its bytes belong. */
export function contentRange(
  field: string | undefined,
): { first: number; last: number; total: number | undefined } | undefined {
  const [, first, last, total] = /^\s*bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/i.exec(field ?? '') ?? []
  if (first === undefined || last === undefined || Number(last) < Number(first)) return undefined
  return { first: Number(first), last: Number(last), total: total === '*' ? undefined : Number(total) }
}

/** These parts of a stream, each with the number of its range; it is left as soon as the last has passed. */
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
