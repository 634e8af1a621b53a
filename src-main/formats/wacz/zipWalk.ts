/** Reads a zip file without its central directory: entries are found by their local headers, from front to back.
 *  When a header does not state the length of the data, its descriptor is searched for, whose sizes must equal the
 *  distance walked. */
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import {
  headerBytesMax,
  parseLocalHeader,
  zipFlags,
  zipMethods,
  zipSignatures,
  type EntryHeader,
} from './zipHeaders.ts'

/** An entry that was found by its local header. */
export interface WalkedEntry {
  header: EntryHeader
  headerOffset: number
  dataOffset: number
  /** Length of its data in the file. */
  compressedBytes: number
  /** Unpacked length; undefined when only unpacking shows it. */
  bytes: number | undefined
  crc32: number | undefined
  /** True when the file ends inside the entry. */
  torn: boolean
}

/** Bytes searched for signatures at a time; signatures across the end are found by the overlap. */
const searchBytes = 256 * 1024
/** Overlap of two searches: a descriptor of 24 bytes before the next signature, and that signature. */
const overlapBytes = 32

/** Yields the entries of a file of `bytes` bytes. */
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

/** Returns the header when its values make sense. The signature `PK` with two more bytes occurs by chance every few
 *  gigabytes, a meaningful header does not. */
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
  // With a descriptor the sizes are zero or, in zip64 form, all ones; some writers state them anyway.
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

/** Returns the length of a descriptor that is cut by the end of the file, so that it is not taken for content. All
 *  four bytes of its signature must be there. */
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

/** The values of a data descriptor (APPNOTE 4.3.9). */
interface Described {
  compressedBytes: number
  bytes: number
  crc32: number
}

/** Finds the descriptor of an entry whose header does not state its length. A candidate counts only when its
 *  compressed length is the distance from the beginning of the data. */
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

/** Reads the descriptor near a signature. `pk` is the position of the signature in `view`, `distance` bytes after
 *  the start of the data: it is that of the descriptor, or of the structure after a descriptor without signature
 *  (APPNOTE 4.3.9.3). */
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

/** Returns the offset of the next plausible local header; undefined when there is none. */
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

/** Returns the offset of the next `PK` that is followed by the other two bytes of a signature. */
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

/** Upper halves of the signatures: the two bytes after `PK`. */
const secondHalves = new Set(Object.values(zipSignatures).map((signature) => signature >>> 16))
