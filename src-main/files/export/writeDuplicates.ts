/**
 * Duplicates written as WARC: the new file has no index of the archive, so each becomes a revisit of its original, which is written too.
 */
import { surt } from '../../formats/cdx/surt.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { originalContradiction } from '../../formats/logs/duplicates.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import type { RecordHeader } from '../../formats/records/warcWriter.ts'
import { formatFields, warcFields } from '../../formats/rewrite/origin.ts'
import { writtenRecord } from '../../formats/rewrite/writtenRecord.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import { batchesByFile, chosenDuplicates, type ExportedDuplicate } from './duplicates.ts'
import type { SourceFile } from './export.ts'
import type { Exporting } from './exporting.ts'
import { heldRecord } from './heldChosen.ts'
import { duplicatesAtOnceMax } from './limits.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { Places } from './losses.ts'
import type { OpenSource } from './sources.ts'
import { referenceNames, type References } from './survey.ts'
import type { WarcOut } from './warcOut.ts'
import type { WrittenElsewhere } from './writeElsewhere.ts'

/** Where the revisits are written. */
interface WritingDuplicates {
  append: (bytes: Uint8Array) => Promise<void>
  out: WarcOut
  references: References
  /** Originals that were written already. */
  elsewhere: WrittenElsewhere
}

/** Writes the revisits, and originals in files outside of the export. Returns sentences about what is missing. */
export async function writeDuplicates(exporting: Exporting, writing: WritingDuplicates): Promise<Message[]> {
  const revisits = new RevisitsOfDuplicates(exporting, writing)
  for await (const batch of batchesByFile(chosenDuplicates(exporting.context, exporting.input), duplicatesAtOnceMax))
    await revisits.write(batch)
  return revisits.lacking()
}

/** The fields of an original that a revisit repeats. */
interface Referred {
  id: string | undefined
  url: string
  dateMs: number
}

/** Writes duplicates as revisits, after a warcinfo record of their own. */
class RevisitsOfDuplicates {
  readonly #exporting: Exporting
  readonly #writing: WritingDuplicates
  readonly #infoId: string
  #written = 0
  /** Duplicates without an available original, and the first place where one was expected. */
  #lost = new Places()
  /** The last original of the last batch: it may have more duplicates, and is read and written only once. */
  #last: { filename: string; offset: number; referred: Referred | undefined } | undefined

  constructor(exporting: Exporting, writing: WritingDuplicates) {
    this.#exporting = exporting
    this.#writing = writing
    this.#infoId = exporting.context.world.chance.uuid()
  }

  /** Writes a batch of duplicates whose originals are in one file. */
  async write(batch: readonly ExportedDuplicate[]): Promise<void> {
    const { input, context } = this.#exporting
    const [first] = batch
    if (first === undefined) return
    if (this.#written === 0) await this.#append(this.#infoHeader(), this.#infoBlock())
    const isNamed = ({ name }: SourceFile) => name === first.original.filename
    const exported = input.files.find(isNamed)
    const file = exported ?? input.duplicates?.originals.find(isNamed)
    const originals = new Map<number, Referred | undefined>()
    if (this.#last?.filename === first.original.filename) originals.set(this.#last.offset, this.#last.referred)
    if (file !== undefined) {
      const plain = await context.world.disk.openRead(file.path)
      try {
        const watched = watchedFile(plain, { signal: context.signal, onBytes: () => undefined })
        const isWrittenToo = exported === undefined && input.withOriginals
        await this.#readOriginals({ ...file, plain, watched }, { batch, originals, isWrittenToo })
      } finally {
        await plain.close()
      }
    }
    for (const duplicate of batch) {
      const { filename, offset } = duplicate.original
      const referred = originals.get(offset)
      await this.#writeRevisit(duplicate, referred)
      this.#last = { filename, offset, referred }
    }
  }

  lacking(): Message[] {
    const { count, first } = this.#lost
    return first ? [message('export.originals.lost', { count, first })] : []
  }

  async #readOriginals(
    source: OpenSource,
    reading: {
      batch: readonly ExportedDuplicate[]
      originals: Map<number, Referred | undefined>
      isWrittenToo: boolean
    },
  ): Promise<void> {
    const { batch, originals, isWrittenToo } = reading
    const { out, elsewhere } = this.#writing
    const { spool, losses } = out
    const records = async function* () {
      for (const { original, payloadDigest } of batch) {
        if (originals.has(original.offset)) continue
        const record = await readRecordAt(source.watched, original.offset)
        const referred = record && referredIn(record, { original, payloadDigest })
        originals.set(original.offset, referred)
        if (record && referred && isWrittenToo && !elsewhere.get(source.name)?.has(original.offset))
          yield await heldRecord(record, { spool, onGap: losses.gapReporter(source.name) })
        else await record?.finish()
      }
    }
    if (isWrittenToo) await this.#writing.out.take(source, records())
    else for await (const _ of records()) throw new Error('nothing was to be written')
  }

  async #writeRevisit(duplicate: ExportedDuplicate, referred: Referred | undefined): Promise<void> {
    const { original, url, timestampMs, payloadDigest } = duplicate
    if (referred === undefined) this.#lost.add(original.filename, original.offset)
    const refersToUrl = referred?.url ?? original.url
    const refersToMs = referred?.dateMs ?? original.timestampMs
    const refersToDate = refersToMs === null ? undefined : new Date(refersToMs).toISOString()
    const fields: [string, string][] = [
      ['WARC-Target-URI', url],
      ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
      ...fieldIfKnown('WARC-Refers-To', referred?.id),
      ['WARC-Refers-To-Target-URI', refersToUrl],
      ...fieldIfKnown('WARC-Refers-To-Date', refersToDate),
      ...fieldIfKnown('WARC-Payload-Digest', payloadDigest || undefined),
      ['WARC-Truncated', 'length'],
      ['WARC-Warcinfo-ID', `<urn:uuid:${this.#infoId}>`],
    ]
    const id = this.#exporting.context.world.chance.uuid()
    // The crawl log does not have the header of the answer, so the block is empty; replay uses that of the original (WARC 1.1, 6.7.2).
    const contentType = 'application/http;msgtype=response'
    await this.#append({ type: 'revisit', id, dateMs: timestampMs, fields, contentType }, new Uint8Array(0))
    // Losses are reported with their place.
    if (referred)
      this.#writing.references.addNames(
        referenceNames({ id: referred.id, url: refersToUrl, date: refersToDate, digest: payloadDigest || undefined }),
      )
    this.#writing.out.chosen += 1
    this.#written += 1
  }

  async #append(header: RecordHeader, block: Uint8Array): Promise<void> {
    const { append, out } = this.#writing
    for await (const bytes of writtenRecord(header, block, out.tally)) await append(bytes)
    this.#exporting.progress.wrote({ records: out.tally.records, bytes: this.#exporting.part.position })
  }

  #infoHeader(): RecordHeader {
    const dateMs = this.#exporting.context.world.clock.now()
    return { type: 'warcinfo', id: this.#infoId, dateMs, fields: [], contentType: 'application/warc-fields' }
  }

  #infoBlock(): Uint8Array {
    return warcFields([
      ['software', this.#exporting.input.software],
      ...formatFields,
      ['description', textOf(message('export.duplicates.description'))],
    ])
  }
}

function fieldIfKnown(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]]
}

/** Returns undefined when the record is not the original that the crawl log means. */
function referredIn(
  record: ArchiveRecord,
  { original, payloadDigest }: Pick<ExportedDuplicate, 'original' | 'payloadDigest'>,
): Referred | undefined {
  const { url } = record
  const dateMs = parseTimestamp(record.date)
  if (url === undefined || dateMs === undefined || surt(url) !== surt(original.url)) return undefined
  const atMs = original.timestampMs ?? undefined
  if (originalContradiction(record, { payloadDigest, atMs }) !== undefined) return undefined
  return { id: recordField(record, 'warc-record-id'), url, dateMs }
}
