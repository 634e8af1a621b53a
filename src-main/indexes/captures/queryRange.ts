/** Where a query begins, goes on and ends, in the order in which captures lie. Pure. */
import { Fault } from '../../contract/calls/faults.ts'
import type { CaptureRow, RowsBetween } from './captureIndex.sql.ts'
import { keyRanges, type MatchType } from '../model/keyRanges.ts'

/** Between two rows: key, moment, file, offset of the one before. */
export type Position = [key: string, timestampMs: number, file: number, offset: number]
/** How far each of the directions is in which a query goes. */
export type Cursor = Position[]

/** As much of a query as says where captures lie. */
export interface RangedQuery {
  url: string
  matchType: MatchType
  fromMs?: number
  /** Still among them. */
  toMs?: number
  /** Where a later block begins: it ends there. Not with `closest`. */
  until?: string
}

export interface QueryRange {
  from: Position
  to: Position
}

/** ECMA-262 21.4.1.1: no moment is further away. */
const furthestMs = 8.64e15

/** Before and behind every row of a key at a moment. */
export const first = (key: string, timestampMs: number): Position => [key, timestampMs, -1, -1]
export const last = (key: string, timestampMs: number): Position => [key, timestampMs, Number.MAX_SAFE_INTEGER, 0]

/** In order, and without overlap. Throws `Fault` badInput. */
export function queryRangesOf({
  url,
  matchType,
  fromMs = -furthestMs,
  toMs = furthestMs,
  until,
}: RangedQuery): QueryRange[] {
  const stretches = keyRanges(url, matchType).map(({ from, to }): QueryRange => {
    // Of one key the moments lie in order, so what is too early or too late is not even looked at.
    if (matchType !== 'exact') return { from: first(from, -furthestMs), to: first(to, -furthestMs) }
    return { from: first(from, fromMs), to: last(from, toMs) }
  })
  if (until === undefined) return stretches
  const [[key, timestampMs, file, offset] = first('', 0)] = cursorIn(until, 1)
  // The next block begins behind that row.
  const end: Position = [key, timestampMs, file, offset + 1]
  return stretches.map(({ from, to }) => ({ from, to: isBefore(end, to) ? end : to }))
}

export function isBefore(one: Position, other: Position): boolean {
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? value
    if (value !== against) return value < against
  }
  return false
}

export function positionOf({
  key,
  timestampMs,
  file,
  offset,
}: Pick<CaptureRow, 'key' | 'timestampMs' | 'file' | 'offset'>): Position {
  return [key, timestampMs, file, offset]
}

export function between(
  [fromKey, fromMs, fromFile, fromOffset]: Position,
  [toKey, toMs, toFile, toOffset]: Position,
): RowsBetween {
  return { fromKey, fromMs, fromFile, fromOffset, toKey, toMs, toFile, toOffset }
}

/** Opaque to whoever gets it. */
export function textOf(state: Cursor): string {
  return Buffer.from(JSON.stringify(state)).toString('base64url')
}

/** Throws `Fault` badInput. */
export function cursorIn(text: string, directions: number): Cursor {
  const state = parsed(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(state) || state.length !== directions || !state.every(isPosition))
    throw new Fault('badInput', 'The resume key does not belong to this query.')
  return state
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [key, ...numbers] = value as unknown[]
  return typeof key === 'string' && numbers.every((each) => typeof each === 'number')
}
