/** Writes the readable content of a damaged archive file to a new WARC file. Each intact record is copied byte by
 *  byte. All existing bytes of a torn record are kept, with a correct length and digest; the original values are
 *  kept as `Original-…`. A header that other programs may reject is completed; a record without type or date is left
 *  out, because nothing is invented (writableHeader.ts). A warcinfo record at the beginning names the damaged file
 *  and its SHA-256. A metadata record at the end, in JSON, lists what was left out and changed, with offsets into
 *  the damaged file, so that it can be compared or replaced later. ARC files are converted to WARC (convertArc.ts),
 *  because ARC cannot express any of this. */
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { parseLabelledDigest } from '../bytes/digest.ts'
import { recordField } from '../records/record.ts'
import type { RecordHeader } from '../records/warcWriter.ts'
import type { Account } from './account.ts'
import { ArcConversion } from './convertArc.ts'
import { damageOf, leaveGap, leaveStray, ownBlock, recordEndAt } from './damage.ts'
import { digestOfBlock, type HeldBlock, type Spool } from './heldBlock.ts'
import { heldParts, type HeldRecord } from './heldParts.ts'
import { formatFields, warcFields, type Origin } from './origin.ts'
import { blockUpToNext } from './ownBytes.ts'
import { levelOfBlock, recordEnd, recordMember } from './recordMember.ts'
import { namedRecordId, recordUri } from './recordId.ts'
import { together, writableHeader, type BlockFacts, type HeaderFault } from './writableHeader.ts'
import { writtenRecord } from './writtenRecord.ts'

/** What a salvage works with: `spool` holds blocks too large for memory, `account` receives what was changed and
 *  left out, `origin` describes the damaged file in the new records. */
export interface Salvaging {
  spool: Spool
  account: Account
  origin: Origin
  /** Time of the operation: the date of the two records about it. */
  dateMs: number
}

/** Yields the new file. */
export async function* salvage(source: ByteSource, salvaging: Salvaging): AsyncGenerator<Uint8Array> {
  const { spool, account } = salvaging
  yield* warcinfo(salvaging)
  const arc = new ArcConversion(salvaging)
  for await (const part of heldParts(source, spool)) {
    if (part.kind === 'gap') leaveGap(part, account)
    else if (part.record.format === 'arc') yield* arc.converted(part, source)
    else yield* saved(source, part, salvaging)
  }
  yield* report(salvaging)
}

/** Yields a record with as much of its block as is left, and with a header that is true of that block. */
async function* saved(
  source: ByteSource,
  held: HeldRecord,
  { account, origin }: Salvaging,
): AsyncGenerator<Uint8Array> {
  const { record, finished } = held
  account.position = record.offset
  account.found(finished.findings)
  const longer = await longerBlock(source, held, origin.bytes)
  if (!longer) leaveStray(held, account)
  const block = longer ?? (await keptBlock(held))
  const { facts, change } = await blockFacts(held, block)
  const writable = writableHeader(held.header, facts, () => recordUri(origin, record))
  if (!writable.header) {
    account.leave({ from: record.offset, to: recordEndAt(held), ...writable.lacks })
    return
  }
  const changes = [...(change ? [change] : []), ...writable.changes]
  if (changes.length > 0) account.changed.add({ from: record.offset, record: nameOf(held), ...together(changes) })
  yield* recordMember(
    { header: writable.header, block, end: recordEnd.warc },
    levelOfBlock(block, record.contentType),
    account,
  )
}

/** Returns the block extended by the bytes after the record, when its length is missing or its digest proves that
 *  the length is wrong; otherwise undefined. */
async function longerBlock(source: ByteSource, held: HeldRecord, fileBytes: number): Promise<HeldBlock | undefined> {
  const rules = held.finished.findings.map(({ rule }) => rule)
  if (!rules.includes('bytesAfterRecord')) return undefined
  const block = await blockUpToNext(source, held, fileBytes)
  if (!block) return undefined
  const isOwn = rules.includes('lengthInvalid') || (await digestVerdict(held, block)) === 'right'
  return isOwn ? block : undefined
}

/** Returns the block to keep. A WARC file may be the block of a record: when the digest of the whole block matches,
 *  a record inside it is not the next record. */
async function keptBlock(held: HeldRecord): Promise<HeldBlock> {
  if (held.blockBytesBefore === undefined) return held.block
  return (await digestVerdict(held, held.block)) === 'right' ? held.block : ownBlock(held)
}

/** Name of a record in the account. */
function nameOf({ record }: HeldRecord): string {
  return recordField(record, 'WARC-Record-ID') ?? record.url ?? ''
}

/** Determines the facts about a block, and how they differ from its header. The checksum of a member does not matter
 *  when the block matches its own digest. */
async function blockFacts(
  held: HeldRecord,
  block: HeldBlock,
): Promise<{ facts: BlockFacts; change: HeaderFault | undefined }> {
  const claimedBytes = held.record.blockBytes
  const damage = damageOf(held)
  const digest = await digestVerdict(held, block)
  const isLengthRight = block.bytes === claimedBytes && damage?.rule !== 'lengthInvalid'
  if (isLengthRight && (digest === 'right' || (digest === 'unknown' && !damage)))
    return { facts: { blockBytes: block.bytes, blockDigest: undefined, isTruncated: false }, change: undefined }
  const isWrong = digest === 'wrong' && isLengthRight
  const rule = damage?.rule ?? (isWrong ? 'blockDigestWrong' : 'bytesAfterRecord')
  const change = changeOf({ bytes: block.bytes, claimedBytes, isLengthRight, isProven: digest === 'right' })
  const blockDigest = digest === 'right' ? undefined : (await digestOfBlock(block, 'sha1')).base32()
  const facts = { blockBytes: block.bytes, blockDigest, isTruncated: !isLengthRight && digest !== 'right' }
  return { facts, change: { rule, message: change } }
}

/** The length of a block compared with its header. */
interface Lengths {
  bytes: number
  claimedBytes: number
  isLengthRight: boolean
  /** True when the digest of the block matches. */
  isProven: boolean
}

/** Returns what is wrong with the length or the digest in a header, for the account. */
function changeOf({ bytes, claimedBytes: stated, isLengthRight, isProven }: Lengths): Message {
  if (isLengthRight) return message('rewrite.digest.wrong')
  if (isProven) return message('rewrite.length.wrong', { stated, bytes })
  if (bytes < stated) return message('rewrite.block.part', { bytes, stated, missing: stated - bytes })
  return message('rewrite.length.lost', { bytes })
}

/** Matches a known algorithm with an invalid value: the value is damaged. */
const damagedDigest = /^\s*(sha-?(1|256|512)|md5)\s*:/i

/** Compares a block with the digest in its header; `unknown` without a digest, or with an algorithm that is not
 *  supported. */
async function digestVerdict({ record }: HeldRecord, block: HeldBlock): Promise<'right' | 'wrong' | 'unknown'> {
  const text = recordField(record, 'WARC-Block-Digest') ?? ''
  const named = parseLabelledDigest(text)
  if (!named) return damagedDigest.test(text) ? 'wrong' : 'unknown'
  return (await digestOfBlock(block, named.algorithm)).hex() === named.hex ? 'right' : 'wrong'
}

function warcinfoId({ origin, dateMs }: Salvaging): string {
  return namedRecordId(origin.name, origin.sha256, dateMs, 'salvage')
}

async function* warcinfo(salvaging: Salvaging): AsyncGenerator<Uint8Array> {
  const { origin, account, dateMs } = salvaging
  const block = warcFields([
    ['software', origin.software],
    ...formatFields,
    ['description', `What could be read of the damaged file ${origin.name}; the last record lists what could not`],
    ['salvagedFrom', origin.name],
    ['salvagedFromBytes', String(origin.bytes)],
    ['salvagedFromSha256', origin.sha256],
  ])
  const header: RecordHeader = {
    type: 'warcinfo',
    id: warcinfoId(salvaging),
    dateMs,
    fields: [],
    contentType: 'application/warc-fields',
  }
  yield* writtenRecord(header, block, account)
}

/** Writes the report. It is JSON, because lists do not fit into fields: `leftOut` and `changed` have a `total` and
 *  as many `items` as are listed. */
async function* report(salvaging: Salvaging): AsyncGenerator<Uint8Array> {
  const { origin, account, dateMs } = salvaging
  // With English texts, because the report is read without Loupe.
  const leftOut = account.leftOut.map(({ message, ...place }) => ({ ...place, text: textOf(message) }))
  const changed = account.changed.map(({ messages, ...place }) => ({ ...place, text: messages.map(textOf).join(' ') }))
  // The warcinfo does not come from the damaged file.
  const summary = { source: origin, records: account.records - 1, leftOut, changed }
  const header: RecordHeader = {
    type: 'metadata',
    id: namedRecordId(origin.name, origin.sha256, dateMs, 'salvage report'),
    dateMs,
    fields: [['WARC-Refers-To', `<urn:uuid:${warcinfoId(salvaging)}>`]],
    contentType: 'application/json',
  }
  yield* writtenRecord(header, Buffer.from(`${JSON.stringify(summary, undefined, 2)}\n`), account)
}
