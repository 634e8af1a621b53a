/** Records and files of records, made for tests. */
import { gzipSync } from 'node:zlib'
import { newRecord, recordBytes, type RecordType } from '../../formats/records/warcWriter.ts'

export interface Made {
  type: RecordType
  url?: string
  block: string | Uint8Array
  contentType?: string
  /** Fields in addition to the mandatory ones. */
  fields?: [name: string, value: string][]
}

let made = 0

/** Makes one WARC record, uncompressed. */
export function madeRecord({ type, url, block, contentType, fields = [] }: Made): Buffer {
  const bytes = Buffer.from(block)
  const usual = type === 'response' || type === 'request' ? `application/http; msgtype=${type}` : 'text/plain'
  const record = newRecord({
    type,
    id: `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
    dateMs: Date.UTC(2026, 10, 20, 12, 0, made % 60),
    dateTo: 'second',
    fields: url === undefined ? fields : [['WARC-Target-URI', url], ...fields],
    contentType: contentType ?? usual,
    block: [bytes],
  })
  return Buffer.concat(recordBytes(record))
}

export function madeAnswer(url: string, body: string | Uint8Array, head = 'Content-Type: text/html'): Buffer {
  const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(body)])
  return madeRecord({ type: 'response', url, block })
}

export function madeInfo(): Buffer {
  return madeRecord({ type: 'warcinfo', block: 'software: made\r\n', contentType: 'application/warc-fields' })
}

/** Compresses each record to a separate gzip member. */
export function packed(...records: Uint8Array[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)))
}
