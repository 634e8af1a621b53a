/**
 * A summary of written records that can be compared with what is read again: the number of records of each type, and one digest over all
 * headers and blocks in order. Equal tallies mean equal records, and so equal block and payload digests, which are computed from these
 * bytes.
 */
import { message, type Message } from '../../contract/words/message.ts'
import { Account } from '../../formats/rewrite/account.ts'
import { recordEnd } from '../../formats/records/warcWriter.ts'

/** Counts records by type and digests them. */
export class Tally extends Account {
  readonly byType = new Map<string, number>()

  override async *counted(record: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isHeader = true
    for await (const bytes of super.counted(record)) {
      // The header is exactly the first chunk.
      if (isHeader) this.#countType(bytes)
      isHeader = false
      yield bytes
    }
  }

  /** Adds a record that is not written through this tally. */
  async add(header: Uint8Array, block: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of this.counted(uncompressed(header, block))) void bytes
  }

  #countType(header: Uint8Array): void {
    const type = /^warc-type:[ \t]*(\S*)/im.exec(Buffer.from(header).toString('latin1'))?.[1]?.toLowerCase() ?? ''
    this.byType.set(type, (this.byType.get(type) ?? 0) + 1)
  }
}

/** Yields the record in its uncompressed form. */
async function* uncompressed(header: Uint8Array, block: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield header
  yield* block
  yield recordEnd
}

/** Returns the difference as a sentence; undefined when there is none. Both tallies end with it. */
export function difference(written: Tally, read: Tally): Message | undefined {
  for (const type of new Set([...written.byType.keys(), ...read.byType.keys()])) {
    const [there, here] = [written.byType.get(type) ?? 0, read.byType.get(type) ?? 0]
    if (there !== here) return message('export.differs.count', { type: type || '-', written: there, read: here })
  }
  const isSame = written.contentDigest() === read.contentDigest()
  return isSame ? undefined : message('export.differs.records')
}
