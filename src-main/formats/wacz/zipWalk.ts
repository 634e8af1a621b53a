/** A zip file without its list of contents: entries found by their local headers, front to back. Where a header does not
 *  know the length of what follows, its descriptor is looked for, whose sizes must be the distance that was walked. */
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import {
  headerBytesMax,
  parseLocalHeader,
  zipFlags,
  zipMethods,
  zipSignatures,
  type EntryHeader,
} from './zipHeaders.ts'

export interface WalkedEntry {
  header: EntryHeader
  headerOffset: number
  dataOffset: number
  /** Bytes of it in the file. */
  compressedBytes: number
  /** Undefined when only unpacking would tell. */
  bytes: number | undefined
  crc32: number | undefined
  /** The file ends inside it. */
  torn: boolean
}

/** What the search for signatures looks at in one go; signatures that lie across its end are found by the overlap. */
const searchBytes = 256 * 1024
/** A descriptor of 24 bytes in front of the signature that follows it, and that signature. */
const overlapBytes = 32

export async function* walkZip(source: ByteSource, bytes: number): AsyncGenerator<WalkedEntry> {
  const window = new FileWindow(source)
  let offset = 0
  while (offset < bytes) {
    const header = plausible(parseLocalHeader(await window.view(offset, headerBytesMax)))
    if (!header) {
      const next = await nextSignature(window, offset + 1)
      if (next === undefined) return
      offset = next
      continue
    }
    const entry = await walkedEntry(window, header, offset, bytes)
    yield entry
    offset = entry.dataOffset + entry.compressedBytes
  }
}

/** `PK` and two more occur by accident every few gigabytes; a header of nonsense does not. */
function plausible(header: EntryHeader | undefined): EntryHeader | undefined {
  if (!header || header.name.length === 0 || header.name.includes(0)) return undefined
  const { method, flags } = header
  const known = method === zipMethods.stored || method === zipMethods.deflated
  return known || (method < 100 && flags < 0x4000) ? header : undefined
}

async function walkedEntry(
  window: FileWindow,
  header: EntryHeader,
  headerOffset: number,
  fileBytes: number,
): Promise<WalkedEntry> {
  const dataOffset = headerOffset + header.length
  const left = fileBytes - dataOffset
  const place = { header, headerOffset, dataOffset }
  // With a descriptor to come the sizes are zero, or in zip64 form all ones: some writers fill them in all the same.
  const described = (header.flags & zipFlags.descriptor) !== 0
  const fits = header.compressedBytes <= left
  if (!described && !fits) return tornEntry(place, left)
  if (fits && (!described || header.compressedBytes > 0)) {
    const { compressedBytes, bytes, crc32 } = header
    return { ...place, compressedBytes, bytes, crc32, torn: false }
  }
  const found = await findDescriptor(window, dataOffset, header)
  if (found) return { ...place, ...found, torn: false }
  return tornEntry(place, left - (await tornDescriptorBytes(window, dataOffset, left)))
}

/** A descriptor that was begun when the file ended is not content. Of its signature all four bytes must be there. */
async function tornDescriptorBytes(window: FileWindow, dataOffset: number, left: number): Promise<number> {
  const tailBytes = Math.min(left, descriptorBytesMax - 1)
  const tail = Buffer.from(await window.view(dataOffset + left - tailBytes, tailBytes))
  const at = tail.lastIndexOf(descriptorSignature)
  if (at < 0) return 0
  const distance = Buffer.alloc(8)
  distance.writeBigUInt64LE(BigInt(left - tail.length + at))
  const size = tail.subarray(at + 8, at + 12)
  return size.equals(distance.subarray(0, size.length)) ? tail.length - at : 0
}

const descriptorBytesMax = 24
const descriptorSignature = Buffer.from('PK\x07\x08', 'latin1')

function tornEntry(place: Pick<WalkedEntry, 'header' | 'headerOffset' | 'dataOffset'>, left: number): WalkedEntry {
  const bytes = place.header.method === zipMethods.stored ? left : undefined
  return { ...place, compressedBytes: left, bytes, crc32: undefined, torn: true }
}

interface Described {
  compressedBytes: number
  bytes: number
  crc32: number
}

async function findDescriptor(
  window: FileWindow,
  dataOffset: number,
  header: EntryHeader,
): Promise<Described | undefined> {
  let at = dataOffset
  while (true) {
    const found = await nextPk(window, at)
    if (found === undefined) return undefined
    const view = await window.view(found - Math.min(descriptorBytesMax, found - dataOffset), 64)
    const before = Math.min(descriptorBytesMax, found - dataOffset)
    const described = descriptorAt(view, before, found - dataOffset, header)
    if (described) return described
    at = found + 1
  }
}

/** `pk` is where a signature begins in `view`, `distance` bytes after the start of the data: it is that of a descriptor,
 *  or that of what follows one that has no signature (APPNOTE 4.3.9.3). */
function descriptorAt(view: Uint8Array, pk: number, distance: number, header: EntryHeader): Described | undefined {
  const data = new DataView(view.buffer, view.byteOffset, view.length)
  const wide = header.zip64 ? [true, false] : [false, true]
  const signed = pk + 4 <= view.length && data.getUint32(pk, true) === zipSignatures.descriptor
  for (const sizes64 of wide) {
    const length = sizes64 ? 20 : 12
    const at = signed ? pk + 4 : pk - length
    if (at < 0 || at + length > view.length) continue
    const compressedBytes = sizes64 ? Number(data.getBigUint64(at + 4, true)) : data.getUint32(at + 4, true)
    const bytes = sizes64 ? Number(data.getBigUint64(at + 12, true)) : data.getUint32(at + 8, true)
    const walked = signed ? distance : distance - length
    if (compressedBytes !== walked || (header.method === zipMethods.stored && bytes !== walked)) continue
    return { compressedBytes, bytes, crc32: data.getUint32(at, true) }
  }
  return undefined
}

/** The next local header that makes sense, or the list of contents, where there are no more entries. */
async function nextSignature(window: FileWindow, from: number): Promise<number | undefined> {
  let at = from
  while (true) {
    const found = await nextPk(window, at)
    if (found === undefined) return undefined
    if (plausible(parseLocalHeader(await window.view(found, headerBytesMax)))) return found
    at = found + 1
  }
}

const pk = Buffer.from('PK')

/** The next `PK` with the two bytes of one of the signatures after it. */
async function nextPk(window: FileWindow, from: number): Promise<number | undefined> {
  let position = from
  while (true) {
    const view = await window.view(position, searchBytes)
    const bytes = Buffer.from(view.buffer, view.byteOffset, view.length)
    for (let at = bytes.indexOf(pk); at >= 0; at = bytes.indexOf(pk, at + 1)) {
      if (at + 4 > bytes.length) break
      if (secondHalves.has(bytes.readUInt16LE(at + 2))) return position + at
    }
    if (bytes.length < searchBytes) return undefined
    position += bytes.length - overlapBytes
  }
}

const secondHalves = new Set(Object.values(zipSignatures).map((signature) => signature >>> 16))
