/** Writing of the chosen records as one WARC, and reading them again: the common part of the WARC and WACZ exports. */
import { join } from 'node:path'
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { spoolFile } from '../disk/spoolFile.ts'
import { nothingWritten } from './choosing.ts'
import type { Exporting } from './exporting.ts'
import { heldChosen } from './heldChosen.ts'
import { isInfo } from './recordKinds.ts'
import { Refusal } from './refusal.ts'
import { eachSource } from './sources.ts'
import { References } from './survey.ts'
import { difference, Tally } from './tally.ts'
import { WarcOut } from './warcOut.ts'
import { writeDuplicates } from './writeDuplicates.ts'
import { writeElsewhere } from './writeElsewhere.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** The result of writing, for the comparison with what is read again. */
export interface Written {
  tally: Tally
  /** References of the revisits that were written. */
  references: References
  /** Sentences about what could not be written. */
  lacking: Message[]
}

/** Passes a block through, and may examine it. */
type Passing = (record: ArchiveRecord, block: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** Writes the records. Throws `Refusal` when there is nothing to write. */
export async function writeRecords(
  exporting: Exporting,
  append: (bytes: Uint8Array) => Promise<void>,
): Promise<Written> {
  const { context, input, chosen, part, progress, losses } = exporting
  const { world, signal } = context
  const { choice, narrowed } = chosen
  const written: Written = { tally: new Tally(), references: new References(), lacking: [] }
  const spool = spoolFile(world.disk, join(input.workFolder, `${world.chance.uuid()}.spool`))
  const onWritten = (record: ArchiveRecord) => {
    if (record.type === 'revisit') written.references.add(record)
    progress.wrote({ records: written.tally.records, bytes: part.position })
  }
  const out = new WarcOut({ ...written, append, narrowed, software: input.software, spool, losses, onWritten })
  try {
    await eachSource({ world, signal, progress }, input.files, async (source) => {
      const { name } = source
      const chooses = (record: ArchiveRecord) => !narrowed || isInfo(record) || choice.has(name, record)
      await out.take(source, heldChosen(source.watched, { chooses, spool, onGap: losses.gapReporter(name) }))
      progress.fileDone()
    })
    const elsewhere = await writeElsewhere(exporting, out)
    written.lacking = await writeDuplicates(exporting, { append, out, references: written.references, elsewhere })
  } finally {
    await spool.close()
  }
  if (out.chosen === 0) throw nothingWritten(input, losses)
  return written
}

/**
 * Verifies the result by reading it. Throws `Refusal` when it differs from what was to be written. Returns sentences about revisits
 * whose original is missing. `passing` may examine each block.
 */
export async function verifyRecords(
  { tally, references, lacking }: Written,
  source: ByteSource,
  passing: Passing = (_, block) => block,
): Promise<Message[]> {
  const read = new Tally()
  const odd: Message[] = []
  for await (const record of readRecords(source, { onFinding: (found) => odd.push(found.message) })) {
    await read.add(Uint8Array.from(record.header), passing(record, record.block()))
    const { whole } = await record.finish()
    if (!whole || !record.addressable) odd.push(message('export.differs.torn', { offset: record.offset }))
    references.meet('', record, true)
    if (odd.length > 0) break
  }
  const problem = odd[0] ?? difference(tally, read)
  if (problem !== undefined) throw new Refusal('damaged', message('export.differs', { problem }))
  return [...lacking, ...lackingRemarks(references)]
}

/** Describes revisits whose original is not in the new file. */
function lackingRemarks(references: References): Message[] {
  const count = references.lacking()
  if (references.overflow)
    return [count === 0 ? message('export.revisits.unchecked') : message('export.revisits.unchecked.lost', { count })]
  return count === 0 ? [] : [message('export.revisits.lost', { count })]
}
