/** Filters over the fields of captures, as a CDX server has them. What is only compared is decided here. A regular expression may
 *  never end, so it is tried in a thread of its own with a time: `(a+)+$` would hold up every page that is shown. */
import { deadline } from '../archive/deadline.ts'
import { Fault } from '../contract/faults.ts'
import { timestamp14 } from '../formats/cdx/timestamp.ts'
import type { OwnThread, World } from '../world/world.ts'
import type { CaptureRow } from './captureIndex.sql.ts'
import { expressionHeapBytesMax, expressionMsMax, expressionStopMsMax } from './limits.ts'
import type { TextsToTry } from './tryExpressions.thread.ts'

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
  /** Of each row whether every filter lets it through. */
  passes(rows: readonly CaptureRow[]): Promise<boolean[]>
  close(): void
}

/** Throws `Fault` badInput when an expression is none. */
export function filtering(world: World, filters: readonly CaptureFilter[]): Filtering {
  const simple = filters.filter(({ how }) => how !== 'matches')
  const expressions = filters.filter(({ how }) => how === 'matches')
  for (const { text } of expressions) assertExpression(text)
  let thread: OwnThread | undefined
  return {
    async passes(rows) {
      const passed = rows.map((row) => simple.every((filter) => isLetThrough(filter, fieldText(row, filter.field))))
      const tried = rows.filter((_, at) => passed[at])
      if (expressions.length === 0 || tried.length === 0) return passed
      thread ??= world.threads.own({ heapBytesMax: expressionHeapBytesMax, stopMsMax: expressionStopMsMax })
      const texts = tried.map((row) => expressions.map(({ field }) => fieldText(row, field)))
      const input = { expressions: expressions.map(({ text, negated }) => ({ text, negated })), texts }
      const found = (await triedIn(thread, world, input)).values()
      return passed.map((each) => each && found.next().value === true)
    },
    close: () => thread?.close(),
  }
}

function isLetThrough({ how, text, negated }: CaptureFilter, value: string): boolean {
  return (how === 'is' ? value === text : value.includes(text)) !== negated
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

function assertExpression(text: string): void {
  try {
    new RegExp(text, 'u')
  } catch (cause) {
    throw new Fault('badInput', `${text} is not a regular expression`, { cause })
  }
}

async function triedIn(thread: OwnThread, world: World, input: TextsToTry): Promise<boolean[]> {
  const time = deadline(world.clock, expressionMsMax)
  try {
    const module = new URL('./tryExpressions.thread.ts', import.meta.url)
    return await thread.run<TextsToTry, boolean[]>(module, input, { signal: time.signal })
  } catch (error) {
    if (!time.signal.aborted) throw error
    throw new Fault(
      'refused',
      `The regular expression ${input.expressions.map(({ text }) => text).join(' or ')} takes too long, so it was given up: write it more simply, without one repetition inside another.`,
    )
  } finally {
    await time.end()
  }
}
