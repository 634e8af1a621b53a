/** A file as a sequence of stretches: records, each held whole before it is given, and gaps that belong to none. A record is
 *  given once it is known what comes after it, because only the reader's next step says that another begins inside it. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import type { Finding } from '../rules/finding.ts'
import type { ArchiveRecord, FinishedRecord } from '../records/record.ts'
import { readRecords } from '../records/readRecords.ts'
import { holdBlock, type HeldBlock, type Spool } from './heldBlock.ts'

export interface HeldRecord {
  kind: 'record'
  record: ArchiveRecord
  /** As it stands in the file. */
  header: Uint8Array
  block: HeldBlock
  finished: FinishedRecord
  /** Where the next record begins; undefined at the end of the file. */
  nextAt: number | undefined
  /** How much of the block comes before the next record, which begins inside it; undefined where none does. */
  blockBytesBefore: number | undefined
}

export interface Gap {
  kind: 'gap'
  from: number
  /** Where the next record begins; undefined at the end of the file. */
  to: number | undefined
  finding: Finding
}

export type Stretch = HeldRecord | Gap

/** The spool holds the block of the stretch that was given last, so each must be done with before the next is asked for. */
export async function* heldStretches(source: ByteSource, spool: Spool): AsyncGenerator<Stretch> {
  let between: Finding[] = []
  let held: HeldRecord | undefined
  for await (const record of readRecords(source, { onFinding: (finding) => between.push(finding) })) {
    if (held) yield followed(held, record)
    yield* gaps(between, record.offset)
    between = []
    held = await holdRecord(record, spool)
  }
  if (held) yield held
  yield* gaps(between, undefined)
}

function* gaps(between: readonly Finding[], to: number | undefined): Generator<Gap> {
  for (const [index, finding] of between.entries())
    yield { kind: 'gap', from: finding.offset ?? 0, to: between[index + 1]?.offset ?? to, finding }
}

async function holdRecord(record: ArchiveRecord, spool: Spool): Promise<HeldRecord> {
  const header = Uint8Array.from(record.header)
  const block = await holdBlock(record.block(), spool)
  const finished = await record.finish()
  return { kind: 'record', record, header, block, finished, nextAt: undefined, blockBytesBefore: undefined }
}

function followed(held: HeldRecord, next: ArchiveRecord): HeldRecord {
  const isInside = held.finished.findings.some(({ rule }) => rule === 'recordInside')
  const blockBytesBefore = isInside ? placeIn(held.block.beginning, next.header) : undefined
  return { ...held, nextAt: next.offset, blockBytesBefore }
}

/** How much of a header is looked for in a block: a version line and a little more, or a URL. */
const soughtBytes = 20

/** Where the header stands in the block, which may end within it. Its offset in the file would not tell in a packed one. */
function placeIn(block: Uint8Array, header: Uint8Array): number | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length)
  const sought = header.subarray(0, soughtBytes)
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) {
    const overlap = bytes.subarray(at, at + header.length)
    if (overlap.equals(header.subarray(0, overlap.length))) return at
  }
  return undefined
}
