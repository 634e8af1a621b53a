/** Zip files as other programs might write them, in any mixture of forms and with false headers, for tests. Deliberately not the way
 *  that packages are written (zipWriter.ts): what only our own writer writes proves little of a reader. */
import { crc32, deflateRawSync } from 'node:zlib'
import { descriptor, directoryHeader, endRecords, localHeader, zipMethods, type Written } from '../zipHeaders.ts'

export interface MadeEntry {
  name: string | Uint8Array
  content: Uint8Array | string
  deflated?: boolean
  described?: boolean
  zip64?: boolean
  /** Values in the headers that differ from the true ones. */
  falsified?: Partial<Written>
}

export function madeZip(entries: MadeEntry[]): Buffer {
  const parts: Uint8Array[] = []
  const listed: Written[] = []
  let offset = 0
  for (const { name, content: given, deflated = false, described = false, zip64 = false, falsified = {} } of entries) {
    const content = Buffer.from(given)
    const data = deflated ? deflateRawSync(content) : content
    const entry: Written = {
      name: Buffer.from(name),
      method: deflated ? zipMethods.deflated : zipMethods.stored,
      described,
      zip64,
      crc32: crc32(content),
      compressedBytes: data.length,
      bytes: content.length,
      offset,
      modifiedAtMs: 0,
      ...falsified,
    }
    const pieces = Buffer.concat([localHeader(entry), data, ...(described ? [descriptor(entry)] : [])])
    parts.push(pieces)
    listed.push(entry)
    offset += pieces.length
  }
  const directory = Buffer.concat(listed.map(directoryHeader))
  return Buffer.concat([...parts, directory, endRecords(listed.length, offset, directory.length)])
}
