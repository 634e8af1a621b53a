/** A reader for tests that shares nothing with the readers of this program and forgives nothing: a file is gzip members
 *  (RFC 1952) one after another, and each holds exactly one record as WARC 1.1 frames it (4, 5.2 to 5.5). Ships in no build. */
import { crc32, inflateRawSync, type InflateRaw } from 'node:zlib'

export interface StrictRecord {
  version: string
  type: string
  id: string
  date: string
  /** Names in lower case, in their order. */
  fields: [name: string, value: string][]
  block: Buffer
}

/** Parses a WARC file strictly. Throws an `Error` with the problem and its byte offset. */
export function strictRecords(file: Uint8Array): StrictRecord[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const records: StrictRecord[] = []
  for (let at = 0; at < bytes.length;) {
    const { content, length } = member(bytes.subarray(at), at)
    records.push(strictRecord(content, `the record in the member at ${at}`))
    at += length
  }
  return records
}

function member(bytes: Buffer, at: number): { content: Buffer; length: number } {
  if (bytes.readUInt16BE(0) !== 0x1f8b || bytes[2] !== 8) throw new Error(`at ${at} begins no gzip member`)
  const flags = bytes[3] ?? 0
  let dataAt = 10
  if ((flags & 4) !== 0) dataAt += 2 + bytes.readUInt16LE(dataAt)
  for (const flag of [8, 16]) if ((flags & flag) !== 0) dataAt = bytes.indexOf(0, dataAt) + 1
  if ((flags & 2) !== 0) dataAt += 2
  const { buffer: content, engine } = inflateRawSync(bytes.subarray(dataAt), { info: true }) as unknown as {
    buffer: Buffer
    engine: InflateRaw
  }
  const trailerAt = dataAt + engine.bytesWritten
  if (bytes.readUInt32LE(trailerAt) !== crc32(content)) throw new Error(`the member at ${at} has a wrong checksum`)
  if (bytes.readUInt32LE(trailerAt + 4) !== content.length % 2 ** 32)
    throw new Error(`the member at ${at} has a wrong size`)
  return { content, length: trailerAt + 8 }
}

/** `content` is one record with its end, and nothing else. */
export function strictRecord(content: Buffer, where: string): StrictRecord {
  const headerEnd = content.indexOf('\r\n\r\n')
  if (headerEnd < 0) throw new Error(`${where} has no blank line after its header`)
  const [version = '', ...lines] = content.toString('latin1', 0, headerEnd).split('\r\n')
  if (!/^WARC\/(0\.1[678]|1\.[01])$/.test(version)) throw new Error(`${where} begins with ${JSON.stringify(version)}`)
  const fields = strictFields(lines, where)
  const [type, id, date, length] = ['warc-type', 'warc-record-id', 'warc-date', 'content-length'].map((name) =>
    mandatory(fields, name, where),
  ) as [string, string, string, string]
  if (!/^\d+$/.test(length)) throw new Error(`${where} has a Content-Length of ${JSON.stringify(length)}`)
  const block = content.subarray(headerEnd + 4, content.length - 4)
  if (block.length !== Number(length))
    throw new Error(`${where} has ${block.length} bytes between its header and its end, and says ${length}`)
  if (!content.subarray(-4).equals(Buffer.from('\r\n\r\n'))) throw new Error(`${where} does not end with CR LF CR LF`)
  for (const value of [type, id]) if (/\s/.test(value)) throw new Error(`${where} has ${JSON.stringify(value)}`)
  if (!/^\d{4}[\d.:TZ+-]*$/i.test(date)) throw new Error(`${where} has the date ${JSON.stringify(date)}`)
  return { version, type, id, date, fields, block }
}

function strictFields(lines: readonly string[], where: string): StrictRecord['fields'] {
  const fields: StrictRecord['fields'] = []
  for (const line of lines) {
    // oxlint-disable-next-line no-control-regex -- these are what no line may hold
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line))
      throw new Error(`${where} has a control character: ${JSON.stringify(line)}`)
    const last = fields.at(-1)
    if (/^[ \t]/.test(line) && last) {
      last[1] = `${last[1]} ${line.trim()}`.trim()
      continue
    }
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`${where} has the line ${JSON.stringify(line)}`)
    fields.push([name.toLowerCase(), value.trim()])
  }
  return fields
}

/** Once, and with something in it. */
function mandatory(fields: StrictRecord['fields'], name: string, where: string): string {
  const values = fields.filter(([field]) => field === name).map(([, value]) => value)
  const [value] = values
  if (value === undefined || value === '' || values.length > 1)
    throw new Error(`${where} has ${name} ${values.length} times: ${JSON.stringify(values)}`)
  return value
}
