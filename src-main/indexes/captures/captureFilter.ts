/** Filters over fields of captures, as in CDX servers. */
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { patternProblem } from '../../contract/shapes/pattern.ts'
import { timestamp14 } from '../../formats/cdx/timestamp.ts'
import { matcherOf, patternOf, portionsOf } from '../../patterns/pattern.ts'
import type { World } from '../../world/world.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { filterCostMax } from '../model/limits.ts'

/** Field names of CDX servers. */
export const captureFields = ['urlkey', 'timestamp', 'url', 'mime', 'status', 'digest', 'length', 'offset', 'filename', 'method'] as const // prettier-ignore
export type CaptureField = (typeof captureFields)[number]

/** A condition on one field. `text` is a regular expression for `matches`. */
export interface CaptureFilter {
  field: CaptureField
  how: 'contains' | 'is' | 'matches'
  text: string
  negated: boolean
}

/** The filters of one page of a query. */
export interface Filtering {
  /** Applies all filters to each capture. Other requests get a turn between portions. */
  passes(captures: readonly IndexedCapture[]): Promise<boolean[]>
  /** The work limit of one page is reached. */
  isSpent(): boolean
}

/** Prepares filters. Throws `Fault` badInput if a pattern is invalid. */
export function filtering({ clock }: Pick<World, 'clock'>, filters: readonly CaptureFilter[]): Filtering {
  const tests = filters.map(testOf)
  let spent = 0
  const costOf = (capture: IndexedCapture) => tests.reduce((sum, test) => sum + test.costOf(capture), 0)
  return {
    async passes(captures) {
      const passed: boolean[] = []
      for (const portion of portionsOf(captures, costOf)) {
        if (passed.length > 0) await clock.sleep(0)
        passed.push(...portion.map((capture) => tests.every(({ passes }) => passes(capture))))
        spent += portion.reduce((sum, capture) => sum + costOf(capture), 0)
      }
      return passed
    },
    isSpent: () => spent >= filterCostMax,
  }
}

interface Test {
  passes(capture: IndexedCapture): boolean
  costOf(capture: IndexedCapture): number
}

function testOf({ field, how, text, negated }: CaptureFilter): Test {
  if (how === 'is') return { passes: (capture) => (fieldText(capture, field) === text) !== negated, costOf: () => 0 }
  if (how === 'contains')
    return { passes: (capture) => fieldText(capture, field).includes(text) !== negated, costOf: () => 0 }
  const problem = patternProblem(text)
  if (problem !== null) throw new Fault('badInput', message('index.query.filter', { filter: text, problem: problem }))
  const pattern = patternOf(text)
  const matcher = matcherOf([pattern])
  return {
    passes: (capture) => (matcher.first(fieldText(capture, field)) !== undefined) !== negated,
    costOf: (capture) => pattern.size * fieldText(capture, field).length,
  }
}

/** The text of a field; '' if it is not known. */
function fieldText(capture: IndexedCapture, field: CaptureField): string {
  switch (field) {
    case 'urlkey':
      return capture.key
    case 'timestamp':
      return timestamp14(capture.timestampMs)
    case 'mime':
      return capture.mediaType
    case 'digest':
      return capture.payloadDigest
    case 'method':
      return capture.method ?? 'GET'
    default:
      return String(capture[field] ?? '')
  }
}
