/** The line ends after a record's block: two CR LF in WARC (WARC 1.1, 4), one LF in ARC. Writers deviate, so line ends
 *  never decide where a record ends. */
import { type Finding, finding } from '../rules/finding.ts'
import type { RecordFlow } from './recordFlow.ts'
import type { Syntax } from './syntax.ts'

const CR = 13
const LF = 10

/** Skips all line ends. Returns how many there were. */
export async function skipLineEnds(flow: RecordFlow): Promise<number> {
  let count = 0
  for (;;) {
    if (flow.held.length === 0 && !flow.ended) await flow.load(1)
    const { held } = flow
    let ends = 0
    while (held[ends] === CR || held[ends] === LF) ends++
    if (ends === 0) return count
    flow.take(ends)
    count += ends
  }
}

/** Takes the line ends after a block, at most as many as the format requires, and returns them in Latin-1. */
export async function takeEnd(
  flow: RecordFlow,
  end: Uint8Array,
  beginsRecord: (bytes: Uint8Array) => boolean,
): Promise<string> {
  if (flow.held.length < end.length && !flow.ended) await flow.load(end.length)
  // Only line ends cut in the middle continue in the next member: one that begins with all of them belongs to the next
  // record.
  const isCut = flow.held.length > 0 && flow.held.every((byte, index) => byte === end[index])
  while (isCut && flow.held.length < end.length && (await flow.more(beginsRecord))) continue
  if (end.every((byte, index) => flow.held[index] === byte)) {
    flow.take(end.length)
    return Buffer.from(end).toString('latin1')
  }
  let ends = 0
  while (ends < end.length && (flow.held[ends] === CR || flow.held[ends] === LF)) ends++
  return Buffer.from(flow.take(ends)).toString('latin1')
}

/** Reports line ends that the format does not have after a record. */
export function endFindings(lineEnds: string, isLast: boolean, { end, format }: Syntax): Finding[] {
  const wanted = Buffer.from(end).toString('latin1')
  // Many writers omit the line end after the last record of an ARC file.
  if (lineEnds === wanted || (isLast && format === 'arc')) return []
  if (lineEnds === '') return [finding('recordEndOdd.none', { wanted: spelled(wanted) })]
  return [finding('recordEndOdd', { found: spelled(lineEnds), wanted: spelled(wanted) })]
}

/** Names the bytes of line ends: `CR LF CR LF`. */
function spelled(lineEnds: string): string {
  return [...lineEnds].map((byte) => (byte === '\r' ? 'CR' : 'LF')).join(' ')
}
