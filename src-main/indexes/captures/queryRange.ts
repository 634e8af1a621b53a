/** Positions and ranges of a query in key order. Pure. */
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { CaptureRow, RowsBetween } from './captureIndex.sql.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import { keyRanges, type MatchType } from '../model/keyRanges.ts'

/** A position after a row: its key, time, file and offset. */
export type Position = [key: string, timestampMs: number, file: number, offset: number]
/** Positions of a query, one per direction that it reads. */
export type Cursor = Position[]

/** The part of a query that determines its ranges. */
export interface RangedQuery {
  url: string
  matchType: MatchType
  fromMs?: number
  /** Last time that is included. */
  toMs?: number
  /** Beginning of the next block, at which the query ends. Not for `closest`. */
  until?: string
}

/** Rows after `from` and before `to`. */
export interface QueryRange {
  from: Position
  to: Position
}

/** The last time value of ECMA-262 21.4.1.1. */
const furthestMs = 8.64e15

/** Positions before and after all rows of a key at a time. */
export const first = (key: string, timestampMs: number): Position => [key, timestampMs, -1, -1]
export const last = (key: string, timestampMs: number): Position => [key, timestampMs, Number.MAX_SAFE_INTEGER, 0]

/** Ranges in ascending order, without overlap. Throws `Fault` badInput. */
export function queryRangesOf({
  url,
  matchType,
  fromMs = -furthestMs,
  toMs = furthestMs,
  until,
}: RangedQuery): QueryRange[] {
  const ranges = keyRanges(url, matchType).map(({ from, to }): QueryRange => {
    // Within one key, captures are sorted by time, so the range excludes others.
    if (matchType !== 'exact') return { from: first(from, -furthestMs), to: first(to, -furthestMs) }
    return { from: first(from, fromMs), to: last(from, toMs) }
  })
  if (until === undefined) return ranges
  const [[key, timestampMs, file, offset] = first('', 0)] = cursorIn(until, 1)
  // The next block begins after that row.
  const end: Position = [key, timestampMs, file, offset + 1]
  return ranges.map(({ from, to }) => ({ from, to: isBefore(end, to) ? end : to }))
}

/** Returns true when `one` precedes `other` in the order of rows. */
export function isBefore(one: Position, other: Position): boolean {
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? value
    if (value !== against) return value < against
  }
  return false
}

/** Returns the position of a row. */
export function positionOf({
  key,
  timestampMs,
  file,
  offset,
}: Pick<CaptureRow, 'key' | 'timestampMs' | 'file' | 'offset'>): Position {
  return [key, timestampMs, file, offset]
}

/** Returns the parameters of statements for the rows between two positions, both excluded. */
export function between(
  [fromKey, fromMs, fromFile, fromOffset]: Position,
  [toKey, toMs, toFile, toOffset]: Position,
): RowsBetween {
  return { fromKey, fromMs, fromFile, fromOffset, toKey, toMs, toFile, toOffset }
}

/** A cursor as opaque text. */
export function textOf(state: Cursor): string {
  return Buffer.from(JSON.stringify(state)).toString('base64url')
}

/** Throws `Fault` badInput. */
export function cursorIn(text: string, directions: number): Cursor {
  const state = jsonOf(Buffer.from(text, 'base64url').toString())
  if (!Array.isArray(state) || state.length !== directions || !state.every(isPosition))
    throw new Fault('badInput', message('index.query.resumeKey'))
  return state
}

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [key, ...numbers] = value as unknown[]
  return typeof key === 'string' && numbers.every((each) => typeof each === 'number')
}
