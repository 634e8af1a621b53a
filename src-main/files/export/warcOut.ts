/** Chosen records into WARC, each a gzip member of its own. A record that stands so in the archive is copied byte for byte;
 *  any other keeps its header and its block and is packed anew, and one of an ARC file becomes a WARC record. */
import { ArcConversion } from '../../formats/rewrite/convertArc.ts'
import { damageOf } from '../../formats/rewrite/damage.ts'
import { heldBytesMax, type Spool } from '../../formats/rewrite/heldBlock.ts'
import type { HeldRecord } from '../../formats/rewrite/heldStretches.ts'
import { levelOfBlock, recordMember } from '../../formats/rewrite/recordMember.ts'
import { isGzip } from '../../formats/packing/gzipMembers.ts'
import { recordEnd } from '../../formats/records/warcWriter.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { copiedBytes } from './limits.ts'
import type { Losses } from './losses.ts'
import { isInfo } from './recordKinds.ts'
import type { OpenSource } from './sources.ts'
import type { Tally } from './tally.ts'

export interface WarcOutParts {
  /** Where the members go, one behind the other. */
  append: (bytes: Uint8Array) => Promise<void>
  /** What describes a file is only written where something of the file is, and just before it. */
  narrowed: boolean
  software: string
  spool: Spool
  tally: Tally
  losses: Losses
  /** Each record of the archive that was written. */
  onWritten: (record: ArchiveRecord) => void
}

interface From {
  source: OpenSource
  /** Records of this file may stand as they are to stand in the new one. */
  isGzip: boolean
  arc: ArcConversion
}

export class WarcOut {
  /** Records beside those that describe files. */
  chosen = 0
  readonly #parts: WarcOutParts

  constructor(parts: WarcOutParts) {
    this.#parts = parts
  }

  /** The records of one file. */
  async take(source: OpenSource, records: AsyncIterable<HeldRecord>): Promise<void> {
    const { losses, narrowed, spool, tally, software } = this.#parts
    const { name, bytes, sha256 } = source
    const arc = new ArcConversion({ spool, account: tally, origin: { name, bytes, sha256, software } })
    const from: From = { source, isGzip: await isPackedByGzip(source), arc }
    let info: HeldRecord | undefined
    for await (const held of records) {
      if (damageOf(held)) losses.damaged.add(name, held.record.offset)
      // A larger description is none, and the spool that holds it is about to be used again.
      else if (narrowed && isInfo(held.record)) info = held.block.bytes <= heldBytesMax ? held : undefined
      else {
        if (info) await this.#write(from, info)
        info = undefined
        await this.#write(from, held)
        if (!isInfo(held.record)) this.chosen += 1
      }
    }
  }

  async #write({ source, isGzip, arc }: From, held: HeldRecord): Promise<void> {
    const { append, tally, onWritten } = this.#parts
    const { record, header, block } = held
    if (record.format === 'arc') {
      for await (const bytes of arc.converted(held)) await append(bytes)
    } else if (isGzip && standsAlone(held)) {
      await tally.add(header, block.chunks())
      await copy(source, held, append)
    } else {
      const level = levelOfBlock(block, record.contentType)
      for await (const bytes of recordMember({ header, block, end: recordEnd }, level, tally)) await append(bytes)
    }
    onWritten(record)
  }
}

async function isPackedByGzip({ watched }: OpenSource): Promise<boolean> {
  const beginning = new Uint8Array(4)
  return isGzip(beginning.subarray(0, await watched.read(beginning, 0)))
}

/** Nothing else is in its gzip member, and nothing is odd about how it stands there. */
function standsAlone({ record, finished }: HeldRecord): boolean {
  return record.addressable && finished.whole && finished.length > 0
}

async function copy(source: OpenSource, held: HeldRecord, append: WarcOutParts['append']): Promise<void> {
  const { record, finished } = held
  for (let done = 0; done < finished.length;) {
    const buffer = Buffer.allocUnsafe(Math.min(copiedBytes, finished.length - done))
    const read = await source.plain.read(buffer, record.offset + done)
    // The reader has been there a moment ago.
    if (read === 0) throw new Error(`${source.path} became shorter while it was read`)
    await append(buffer.subarray(0, read))
    done += read
  }
}
