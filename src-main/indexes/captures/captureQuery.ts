/** Pages of captures of many URLs, for CDX servers and lists. A page reads a bounded number of rows whatever the query and says
 *  where the next one begins, so rare matches keep no one waiting. */
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { World } from '../../world/world.ts'
import { filtering, type CaptureFilter } from './captureFilter.ts'
import type { CaptureRow, captureStatements } from './captureIndex.sql.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import type { MatchType } from '../model/keyRanges.ts'
import { queryChunkRows, queryRowsMax } from '../model/limits.ts'
import { between, first, isBefore, last, positionOf, cursorIn, queryRangesOf, textOf, type Cursor, type QueryRange, type RangedQuery } from './queryRange.ts' // prettier-ignore

/** A query for captures, with its filters and its position. */
export interface CaptureQuery extends RangedQuery {
  /** Filters that must all match. */
  filters?: readonly CaptureFilter[]
  sort?: { kind: 'ascending' } | { kind: 'reverse' } | { kind: 'closest'; atMs: number }
  limit: number
  /** `next` of the previous page, or the beginning of a block. */
  after?: string
}

/** One page of the results of a query. */
export interface CapturePage {
  captures: IndexedCapture[]
  /** Where the next page begins (`after`). Undefined: this is the last page. A page may contain few captures or none and still
   *  have a next one. */
  next: string | undefined
}

interface Querying {
  statements: Statements
  world: World
  captureOf: (row: CaptureRow) => IndexedCapture
}

type Statements = Pick<ReturnType<typeof captureStatements>, 'forward' | 'backward'>

interface Step {
  row: CaptureRow
  /** Cursor after this row. */
  after: Cursor
}
interface Walk {
  start: Cursor
  /** The next rows. Empty: there are none. */
  steps(from: Cursor, count: number): Step[]
}

/** Reads one page. Rejects with `Fault` badInput. */
export async function queryCaptures(
  { statements, world, captureOf }: Querying,
  query: CaptureQuery,
): Promise<CapturePage> {
  const { filters = [], limit, fromMs = -Infinity, toMs = Infinity } = query
  const walk = walkOf(statements, query)
  let state = query.after === undefined ? walk.start : cursorIn(query.after, walk.start.length)
  const captures: IndexedCapture[] = []
  const filter = filtering(world, filters)
  for (let looked = 0; looked < queryRowsMax && !filter.isSpent();) {
    const steps = walk.steps(state, Math.min(queryChunkRows, filters.length === 0 ? limit : queryChunkRows))
    if (steps.length === 0) return { captures, next: undefined }
    looked += steps.length
    const found = steps.map(({ row }) => captureOf(row))
    const passed = await filter.passes(found)
    for (const [at, { after }] of steps.entries()) {
      state = after
      const capture = passed[at] ? found[at] : undefined
      if (capture && capture.timestampMs >= fromMs && capture.timestampMs <= toMs) captures.push(capture)
      if (captures.length >= limit) return { captures, next: textOf(state) }
    }
  }
  return { captures, next: textOf(state) }
}

function walkOf(statements: Statements, query: CaptureQuery): Walk {
  const { matchType, sort } = query
  const ranges = queryRangesOf(query)
  if (sort?.kind === 'closest') return closest(statements, { ranges, matchType, atMs: sort.atMs })
  return sort?.kind === 'reverse' ? reversed(statements, ranges) : ascending(statements, ranges)
}

function ascending({ forward }: Statements, ranges: readonly QueryRange[]): Walk {
  const start = ranges[0]?.from ?? first('', -Infinity)
  return {
    start: [start],
    steps([at = start], count) {
      const steps: Step[] = []
      for (const { from, to } of ranges) {
        if (steps.length >= count || !isBefore(at, to)) continue
        const begin = isBefore(at, from) ? from : at
        const rows = forward.all({ ...between(begin, to), limit: count - steps.length })
        steps.push(...rows.map((row) => ({ row, after: [positionOf(row)] })))
      }
      return steps
    },
  }
}

function reversed({ backward }: Statements, ranges: readonly QueryRange[]): Walk {
  const start = ranges.at(-1)?.to ?? first('', -Infinity)
  return {
    start: [start],
    steps([at = start], count) {
      const steps: Step[] = []
      for (const { from, to } of ranges.toReversed()) {
        if (steps.length >= count || !isBefore(from, at)) continue
        const begin = isBefore(to, at) ? to : at
        const rows = backward.all({ ...between(from, begin), limit: count - steps.length })
        steps.push(...rows.map((row) => ({ row, after: [positionOf(row)] })))
      }
      return steps
    },
  }
}

/** Captures of one URL in both directions from a moment; of two at equal distance the later one first. */
function closest(
  statements: Statements,
  { ranges, matchType, atMs }: { ranges: readonly QueryRange[]; matchType: MatchType; atMs: number },
): Walk {
  const [range] = ranges
  if (matchType !== 'exact' || range === undefined) throw new Fault('badInput', message('index.query.closest'))
  const middle = last(range.from[0], atMs)
  return {
    start: [middle, middle],
    steps([before = middle, after = middle], count) {
      const earlier = reversed(statements, [range]).steps([before], count)
      const later = ascending(statements, [range]).steps([after], count)
      const steps: Step[] = []
      for (let [back, forth] = [0, 0]; steps.length < count && (earlier[back] ?? later[forth]);) {
        const [past, coming] = [earlier[back]?.row, later[forth]?.row]
        const isPast = distance(past, atMs) < distance(coming, atMs)
        const row = isPast ? past : coming
        if (row === undefined) break
        if (isPast) back += 1
        else forth += 1
        steps.push({ row, after: [earlier[back - 1]?.after[0] ?? before, later[forth - 1]?.after[0] ?? after] })
      }
      return steps
    },
  }
}

function distance(row: CaptureRow | undefined, atMs: number): number {
  return row === undefined ? Infinity : Math.abs(row.timestampMs - atMs)
}
