/** Verifies what salvage, export and conversion write from a damaged input, with a strict reader
 *  (src-main/formats/rewrite/testing/strictWarc.ts): every member has its mandatory fields and exact framing, and every record that
 *  is not written is accounted for. */
import { sourceOf } from '../../src-main/formats/bytes/testing/sourceOf.ts'
import { heldChosen } from '../../src-main/files/export/heldChosen.ts'
import { Losses } from '../../src-main/files/export/losses.ts'
import { Tally } from '../../src-main/files/export/tally.ts'
import { WarcOut } from '../../src-main/files/export/warcOut.ts'
import { readRecords } from '../../src-main/formats/records/readRecords.ts'
import { Account } from '../../src-main/formats/rewrite/account.ts'
import { convertArc } from '../../src-main/formats/rewrite/convertArc.ts'
import type { Spool } from '../../src-main/formats/rewrite/heldBlock.ts'
import { salvage } from '../../src-main/formats/rewrite/salvage.ts'
import { strictRecords, type StrictRecord } from '../../src-main/formats/rewrite/testing/strictWarc.ts'
import { messageOf } from '../../src-main/contract/text/messageOf.ts'

/** Description of the input in the records that are written. */
const origin = { name: 'fuzz.warc.gz', sha256: '00', software: 'Loupe/0' }
/** Findings for which salvage leaves a record out. */
const lacking = ['typeMissing', 'dateMissing', 'dateInvalid', 'arcDateInvalid']

/** Probes salvage and export with an input, and conversion when the input has ARC records and no WARC records. */
export async function probeRewriting(input: Buffer): Promise<void> {
  const read = await formatsRead(input)
  await probeSalvage(input, read)
  await probeExport(input)
  if (read.arc > 0 && read.warc === 0) await probeConversion(input)
}

/** Counts the records of each format. */
async function formatsRead(input: Buffer): Promise<{ warc: number; arc: number }> {
  const read = { warc: 0, arc: 0 }
  for await (const record of readRecords(sourceOf(input))) {
    read[record.format]++
    await record.finish()
  }
  return read
}

/** Salvages the input: what was read is written or left out, and nothing else. */
async function probeSalvage(input: Buffer, read: { warc: number; arc: number }): Promise<void> {
  const account = new Account()
  const made = salvage(sourceOf(input), {
    ...{ spool: memorySpool(), account, origin: { ...origin, bytes: input.length }, dateMs: Date.UTC(2026, 10, 20) },
  })
  const records = strictly('salvaged', await gathered(made))
  mustCount('salvaged', records.length, account.records)
  const left = account.leftOut.items.filter(({ rule }) => lacking.includes(rule)).length
  // A warcinfo and the report, and one more warcinfo for records that were ARC.
  const own = 2 + (records.some(({ block }) => block.includes('convertedFrom:')) ? 1 : 0)
  mustCount('read, salvaged or left out', records.length - own + left, read.warc + read.arc)
}

/** Converts the ARC records of the input. */
async function probeConversion(input: Buffer): Promise<void> {
  const account = new Account()
  const made = convertArc(sourceOf(input), {
    ...{ spool: memorySpool(), account, origin: { ...origin, bytes: input.length } },
  })
  mustCount('converted', strictly('converted', await gathered(made)).length, account.records)
}

/** Exports all records of the input. */
async function probeExport(input: Buffer): Promise<void> {
  const parts: Uint8Array[] = []
  const spool = memorySpool()
  const [tally, losses] = [new Tally(), new Losses()]
  const file = {
    ...sourceOf(input),
    bytes: () => Promise.resolve(input.length),
    close: () => Promise.resolve(),
  }
  const out = new WarcOut({
    ...{ narrowed: false, software: origin.software, spool, tally, losses },
    append: (bytes) => Promise.resolve(void parts.push(Uint8Array.from(bytes))),
    onWritten: () => undefined,
  })
  const source = { ...origin, path: origin.name, bytes: input.length, job: 1, watched: file, plain: file }
  await out.take(source, heldChosen(file, { chooses: () => true, spool, onGap: losses.gapReporter(origin.name) }))
  mustCount('exported', strictly('exported', Buffer.concat(parts)).length, tally.records)
}

function strictly(how: string, file: Buffer): StrictRecord[] {
  try {
    return strictRecords(file)
  } catch (error) {
    throw new Error(`${how}: ${messageOf(error)}`, { cause: error })
  }
}

function mustCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} records instead of ${expected}`)
}

/** A spool in memory: inputs are small. */
function memorySpool(): Spool {
  let held: Uint8Array[] = []
  return {
    clear: () => Promise.resolve(void (held = [])),
    append: (bytes) => Promise.resolve(void held.push(Uint8Array.from(bytes))),
    async *read(bytes) {
      yield await Promise.resolve(Buffer.concat(held).subarray(0, bytes))
    },
  }
}

async function gathered(made: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of made) parts.push(Uint8Array.from(part))
  return Buffer.concat(parts)
}
