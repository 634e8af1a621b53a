/** The content of an archived record: its payload without transfer and content coding, read when a step asks for it. */
import { charsetParameter, fieldOf, payloadOf } from '../../formats/http/http.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { message } from '../../contract/words/message.ts'
import type { ReadableFile } from '../../world/world.ts'
import { contentBytesMax, contentFrom, type Content, type LoadedContent } from '../model/document.ts'
import { StepFault } from '../model/steps.ts'

/** Bytes of the head of an archived response, at most. */
const headBytesMax = 256 * 1024

/** Where a record is. */
export interface RecordPlace {
  file: string
  offset: number
  length?: number | undefined
}

/** Makes the content of a record. It rejects with `StepFault` where the record cannot be read now. */
export function recordContent(
  open: () => Promise<ReadableFile | undefined>,
  { file: name, offset, length }: RecordPlace,
): Content {
  return contentFrom(async () => {
    const file = await open()
    if (!file) throw new StepFault(message('delivery.record.noFile', { file: name }))
    try {
      const record = await readRecordAt(file, offset, length)
      if (!record) throw new StepFault(message('delivery.record.absent', { file: name, offset }))
      const block = await firstBytes(record.block(), headBytesMax + contentBytesMax)
      return entityOf(record, block)
    } finally {
      await file.close()
    }
  })
}

/** Blocks that are kept while their document waits for its first step, rather than read again. */
const heldBytesMax = 64 * 1024

/** Makes the content of a record that is being scanned. A small block is kept. */
export function scannedContent(record: ArchiveRecord, otherwise: Content): Content {
  const { heldBlock, contentType } = record
  if (!heldBlock || heldBlock.length > heldBytesMax) return otherwise
  // A view would keep the whole window of the file in memory.
  const bytes = heldBlock.slice()
  return contentFrom(() => Promise.resolve(entityOf({ contentType }, { bytes, isTruncated: false })))
}

function entityOf({ contentType }: Pick<ArchiveRecord, 'contentType'>, block: LoadedContent): LoadedContent {
  const isHttp = /^application\/http\b/i.test(contentType ?? '')
  const payload = isHttp ? payloadOf(block.bytes, contentBytesMax) : undefined
  const entity = payload?.entity ?? block.bytes
  const declared = isHttp ? payload?.head && fieldOf(payload.head, 'content-type') : contentType
  return {
    bytes: entity.subarray(0, contentBytesMax),
    isTruncated: block.isTruncated || entity.length > contentBytesMax,
    charset: charsetParameter(declared ?? ''),
  }
}

async function firstBytes(block: AsyncIterable<Uint8Array>, bytesMax: number) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of block) {
    chunks.push(chunk.subarray(0, bytesMax - bytes))
    bytes += chunk.length
    if (bytes > bytesMax) break
  }
  return { bytes: Buffer.concat(chunks), isTruncated: bytes > bytesMax }
}
