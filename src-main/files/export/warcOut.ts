/**
 * Chosen records as WARC, each a separate gzip member. A record that has this form in the archive is copied byte for byte; any other keeps
 * its header and block and is recompressed, and one of an ARC file is converted to a WARC record. A header that lacks mandatory fields is
 * completed (writableHeader.ts); where that is impossible the record is a loss.
 */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { ArcConversion } from '../../formats/rewrite/convertArc.ts'
import { damageOf, recordEndAt } from '../../formats/rewrite/damage.ts'
import { heldBytesMax, type Spool } from '../../formats/rewrite/heldBlock.ts'
import type { HeldRecord } from '../../formats/rewrite/heldParts.ts'
import { recordUri } from '../../formats/rewrite/recordId.ts'
import { levelOfBlock, recordMember } from '../../formats/rewrite/recordMember.ts'
import { together, writableHeader } from '../../formats/rewrite/writableHeader.ts'
import { isGzip } from '../../formats/packing/gzipMembers.ts'
import { recordEnd } from '../../formats/records/warcWriter.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import type { RuleName } from '../../formats/rules/rules.ts'
import { copiedBytes } from './limits.ts'
import type { Losses } from './losses.ts'
import { isInfo } from './recordKinds.ts'
import type { OpenSource } from './sources.ts'
import type { Tally } from './tally.ts'

/** What `WarcOut` needs. */
export interface WarcOutParts {
  /** Appends members to the output. */
  append: (bytes: Uint8Array) => Promise<void>
  /** Whether records that describe a file are written only where records of that file are, directly before them. */
  narrowed: boolean
  software: string
  spool: Spool
  tally: Tally
  losses: Losses
  /** Called for each record of the archive that was written. */
  onWritten: (record: ArchiveRecord) => void
}

/** The file of a record, and the conversion for ARC files. */
interface From {
  source: OpenSource
  arc: ArcConversion
}

/** Writes records as gzip members and counts them. */
export class WarcOut {
  /** Number of records other than those that describe files. */
  chosen = 0
  readonly #parts: WarcOutParts
  /** Conversion of the last file: its ids apply to all of its records. */
  #arc: { name: string; conversion: ArcConversion } | undefined

  constructor(parts: WarcOutParts) {
    this.#parts = parts
  }

  get spool(): Spool {
    return this.#parts.spool
  }

  get losses(): Losses {
    return this.#parts.losses
  }

  get tally(): Tally {
    return this.#parts.tally
  }

  /** Writes the records of one file. */
  async take(source: OpenSource, records: AsyncIterable<HeldRecord>): Promise<void> {
    const { losses, narrowed } = this.#parts
    const { name } = source
    const from: From = { source, arc: this.#conversionOf(source) }
    let info: HeldRecord | undefined
    for await (const held of records) {
      if (damageOf(held)) losses.damaged.add(name, held.record.offset)
      // A larger block is not a description, and the spool that holds it is about to be reused.
      else if (narrowed && isInfo(held.record)) info = held.block.bytes <= heldBytesMax ? held : undefined
      else {
        if (info) await this.#write(from, info)
        info = undefined
        const isWritten = await this.#write(from, held)
        if (isWritten && !isInfo(held.record)) this.chosen += 1
      }
    }
  }

  #conversionOf({ name, bytes, sha256 }: OpenSource): ArcConversion {
    const { spool, tally, software } = this.#parts
    if (this.#arc?.name !== name) {
      const origin = { name, bytes, sha256, software }
      this.#arc = { name, conversion: new ArcConversion({ spool, account: tally, origin }) }
    }
    return this.#arc.conversion
  }

  /** Returns false for a record that cannot be written; it is then a loss. */
  async #write(from: From, held: HeldRecord): Promise<boolean> {
    const { tally, losses, onWritten } = this.#parts
    const { record } = held
    const before = { records: tally.records, changed: tally.changed.total }
    if (record.format === 'arc')
      for await (const bytes of from.arc.converted(held, from.source.plain)) await this.#parts.append(bytes)
    else await this.#writeWarc(from.source, held)
    if (tally.changed.total > before.changed) losses.completed.add(from.source.name, record.offset)
    if (tally.records === before.records) {
      losses.incomplete.add(from.source.name, record.offset)
      return false
    }
    onWritten(record)
    return true
  }

  async #writeWarc(source: OpenSource, held: HeldRecord): Promise<void> {
    const { append, tally, software } = this.#parts
    const { record, block } = held
    const { name, bytes, sha256 } = source
    const facts = { blockBytes: block.bytes, blockDigest: undefined, isTruncated: false }
    const writable = writableHeader(held.header, facts, () => recordUri({ name, bytes, sha256, software }, record))
    if (!writable.header) {
      tally.leave({ from: record.offset, to: recordEndAt(held), ...writable.lacks })
      return
    }
    const { header, changes } = writable
    if (changes.length > 0) tally.changed.add({ from: record.offset, record: record.url ?? '', ...together(changes) })
    const beginning = header === held.header ? await beginningOfOwnMember(source, held) : undefined
    if (beginning) {
      await tally.add(header, block.chunks())
      await append(beginning)
      await copyRest(beginning, { source, held, append })
    } else {
      const level = levelOfBlock(block, record.contentType)
      for await (const part of recordMember({ header, block, end: recordEnd }, level, tally)) await append(part)
    }
  }
}

/**
 * Returns the first bytes of a gzip member that contains exactly the record with its end: the member states its uncompressed length (RFC
 * 1952, 2.3.1). Undefined for any other form.
 */
async function beginningOfOwnMember({ plain }: OpenSource, held: HeldRecord): Promise<Uint8Array | undefined> {
  const { record, header, block, finished } = held
  if (!record.addressable || !finished.whole || finished.length < trailerBytes) return undefined
  if (finished.findings.some(({ rule }) => oddEnds.has(rule))) return undefined
  const beginning = await bytesAt(plain, record.offset, Math.min(copiedBytes, finished.length))
  const trailer =
    beginning.length === finished.length
      ? beginning.subarray(-trailerBytes)
      : await bytesAt(plain, record.offset + finished.length - trailerBytes, trailerBytes)
  const contentBytes = header.length + block.bytes + recordEnd.length
  const isAlone = isGzip(beginning) && trailer.readUInt32LE(4) === contentBytes % 2 ** 32
  return isAlone ? beginning : undefined
}

/** Findings about records whose end has another form than ours. */
const oddEnds: ReadonlySet<string> = new Set(['recordEndOdd', 'bytesAfterRecord'] satisfies RuleName[])
/** Length of the CRC-32 and the length at the end of a gzip member (RFC 1952, 2.3.1). */
const trailerBytes = 8

interface Copying {
  source: OpenSource
  held: HeldRecord
  append: WarcOutParts['append']
}

/** Copies the rest of a member whose beginning has been written. */
async function copyRest(beginning: Uint8Array, { source, held, append }: Copying): Promise<void> {
  const { record, finished } = held
  for (let done = beginning.length; done < finished.length;) {
    const bytes = await bytesAt(source.plain, record.offset + done, Math.min(copiedBytes, finished.length - done))
    await append(bytes)
    done += bytes.length
  }
}

/** Reads bytes that the reader has just read, so the file has them. */
async function bytesAt(file: ByteSource, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  if ((await file.read(bytes, position)) < length) throw new Error('an archive file became shorter while it was read')
  return bytes
}
