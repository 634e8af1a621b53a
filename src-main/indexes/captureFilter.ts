/** Filters over the fields of captures, as a CDX server has them. */
import { Fault } from '../contract/faults.ts'
import { patternComplaint } from '../contract/pattern.ts'
import { timestamp14 } from '../formats/cdx/timestamp.ts'
import { matcherOf, patternOf, portionsOf } from '../patterns/pattern.ts'
import type { World } from '../world/world.ts'
import type { CaptureRow } from './captureIndex.sql.ts'
import { filterCostMax } from './limits.ts'

/** By the names that CDX servers have for them. */
export const captureFields = ['urlkey', 'timestamp', 'url', 'mime', 'status', 'digest', 'length', 'offset', 'filename', 'method'] as const // prettier-ignore
export type CaptureField = (typeof captureFields)[number]

export interface CaptureFilter {
  field: CaptureField
  how: 'contains' | 'is' | 'matches'
  text: string
  negated: boolean
}

export interface Filtering {
  /** Of each row whether every filter lets it through. Between portions of rows others get a turn. */
  passes(rows: readonly CaptureRow[]): Promise<boolean[]>
  /** It has had as much work as one page of a query may take. */
  isSpent(): boolean
}

/** Throws `Fault` badInput when a pattern is none. */
export function filtering({ clock }: Pick<World, 'clock'>, filters: readonly CaptureFilter[]): Filtering {
  const tests = filters.map(testOf)
  let spent = 0
  const costOf = (row: CaptureRow) => tests.reduce((sum, { costOf }) => sum + costOf(row), 0)
  return {
    async passes(rows) {
      const passed: boolean[] = []
      for (const portion of portionsOf(rows, costOf)) {
        if (passed.length > 0) await clock.sleep(0)
        passed.push(...portion.map((row) => tests.every(({ passes }) => passes(row))))
        spent += portion.reduce((sum, row) => sum + costOf(row), 0)
      }
      return passed
    },
    isSpent: () => spent >= filterCostMax,
  }
}

interface Test {
  passes(row: CaptureRow): boolean
  costOf(row: CaptureRow): number
}

function testOf({ field, how, text, negated }: CaptureFilter): Test {
  if (how === 'is') return { passes: (row) => (fieldText(row, field) === text) !== negated, costOf: () => 0 }
  if (how === 'contains') return { passes: (row) => fieldText(row, field).includes(text) !== negated, costOf: () => 0 }
  const complaint = patternComplaint(text)
  if (complaint !== null) throw new Fault('badInput', `The filter ${text} cannot be used. ${complaint}`)
  const pattern = patternOf(text)
  const matcher = matcherOf([pattern])
  return {
    passes: (row) => (matcher.first(fieldText(row, field)) !== undefined) !== negated,
    costOf: (row) => pattern.size * fieldText(row, field).length,
  }
}

/** '' where it is not known. */
function fieldText(row: CaptureRow, field: CaptureField): string {
  switch (field) {
    case 'urlkey':
      return row.key
    case 'timestamp':
      return timestamp14(row.timestampMs)
    case 'mime':
      return row.mediaType
    case 'digest':
      return row.payloadDigest
    case 'method':
      return row.method === '' ? 'GET' : row.method
    default:
      return String(row[field] ?? '')
  }
}
