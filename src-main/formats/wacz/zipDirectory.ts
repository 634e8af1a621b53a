/** Finds the central directory of a zip file by its end record, with or without zip64, and with bytes before and
 *  after the package. The directory itself is read in zip.ts. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import {
  endBytesMin,
  parseEnd,
  parseZip64End,
  parseZip64Locator,
  signatureAt,
  zip64EndBytesMin,
  zip64LocatorBytes,
  zipSignatures,
  type EndOfDirectory,
} from './zipHeaders.ts'

/** Location of the central directory: bytes `from` to `to` of the file. */
export interface Directory {
  from: number
  to: number
  /** Number of entries in the end record. */
  entries: number
  /** Number to add to every offset in the directory: the bytes before the package. */
  shift: number
}

/** Bytes at the end of the file that are searched: a comment of the maximum 64 KiB, and as many bytes after the
 *  package. */
const tailBytesMax = 2 * 0xffff + endBytesMin

/** Finds the central directory. When it is undefined, the file has to be searched for entries. */
export async function findDirectory(
  source: ByteSource,
  bytes: number,
): Promise<{ directory: Directory | undefined; findings: Finding[] }> {
  const from = Math.max(0, bytes - tailBytesMax)
  const tail = await readAt(source, from, bytes - from)
  const ends = endsIn(tail)
  for (const at of ends) {
    const found = await directoryBefore(source, tail, from, at)
    if (!found) continue
    if (await belongsToAnother(source, found)) continue
    return { directory: found, findings: placeFindings(found, tail, from, at) }
  }
  const found = finding(ends.length > 0 ? 'zipDirectoryWrong.end' : 'zipDirectoryMissing', bytes)
  return { directory: undefined, findings: [found] }
}

async function readAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, await source.read(bytes, position))
}

const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06])

/** Returns the possible positions of end records, the most likely first: those whose comment ends with the file,
 *  then from the end backwards. */
function endsIn(tail: Buffer): number[] {
  const found: number[] = []
  for (let at = tail.lastIndexOf(endSignature); at >= 0; at = at > 0 ? tail.lastIndexOf(endSignature, at - 1) : -1) {
    if (!parseEnd(tail.subarray(at))) continue
    found.push(at)
    if (found.length === endsMax) break
  }
  const exact = found.filter((at) => endOf(tail, at) === tail.length)
  return [...exact, ...found.filter((at) => !exact.includes(at))]
}

/** Maximum number of end records that are tried. Each costs a read of the disk; the bytes of a signature occur by
 *  chance once in 4 GB. */
const endsMax = 64

/** Returns the end of an end record with its comment. */
function endOf(tail: Buffer, at: number): number {
  return at + endBytesMin + (parseEnd(tail.subarray(at))?.commentBytes ?? 0)
}

/** A directory and whether its end record refers to other disks. */
interface FoundDirectory extends Directory {
  spanned: boolean
}

/** Returns the directory that belongs to the end record at `at` in the tail of the file. The zip64 record before
 *  it takes precedence, because its numbers have no limit. */
async function directoryBefore(
  source: ByteSource,
  tail: Buffer,
  tailFrom: number,
  at: number,
): Promise<FoundDirectory | undefined> {
  const end = parseEnd(tail.subarray(at))
  if (!end) return undefined
  const position = tailFrom + at
  const wide = await zip64Before(source, position)
  return wide ? directoryOf(source, wide.end, wide.position) : directoryOf(source, end, position)
}

/** Returns the directory of an end record. `endPosition` is the offset of the record that follows the directory. */
async function directoryOf(
  source: ByteSource,
  end: EndOfDirectory,
  endPosition: number,
): Promise<FoundDirectory | undefined> {
  const { entries, directoryBytes, directoryOffset, spanned } = end
  // APPNOTE 4.3.6: the end record directly follows the directory. This is more reliable than the offset, which is wrong
  // when bytes were put before the package.
  for (const from of [endPosition - directoryBytes, directoryOffset]) {
    const to = from + directoryBytes
    if (from < 0 || to > endPosition) continue
    const found = { from, to, entries, shift: from - directoryOffset, spanned }
    if (found.shift < 0) continue
    if (directoryBytes === 0 && entries === 0) return found
    if (signatureAt(await readAt(source, from, 4), 0) === zipSignatures.directoryHeader) return found
  }
  return undefined
}

/** Returns the zip64 end record of the end record at `position`, found through the locator directly before that. */
async function zip64Before(
  source: ByteSource,
  position: number,
): Promise<{ end: EndOfDirectory; position: number } | undefined> {
  if (position < zip64LocatorBytes + zip64EndBytesMin) return undefined
  const locatorAt = position - zip64LocatorBytes
  const stated = parseZip64Locator(await readAt(source, locatorAt, zip64LocatorBytes))
  if (stated === undefined) return undefined
  // The stated offset, or, when bytes were put before the package, directly before the locator.
  for (const at of [stated, locatorAt - zip64EndBytesMin]) {
    if (at + zip64EndBytesMin > locatorAt) continue
    const end = parseZip64End(await readAt(source, at, zip64EndBytesMin))
    if (end) return { end, position: at }
  }
  return undefined
}

/** Returns true when the directory belongs to a stored package. A package that is cut right after a package inside
 *  it ends with the directory of the inner one. In this case the file begins with an entry, but the package of the
 *  directory would begin later. */
async function belongsToAnother(source: ByteSource, { shift }: Directory): Promise<boolean> {
  return shift > 0 && signatureAt(await readAt(source, 0, 4), 0) === zipSignatures.localHeader
}

/** Findings about the position of the directory: other disks, bytes before the package, and bytes after it. */
function placeFindings(found: FoundDirectory, tail: Buffer, tailFrom: number, at: number): Finding[] {
  const findings: Finding[] = []
  if (found.spanned) findings.push(finding('zipSpanned'))
  if (found.shift > 0) findings.push(finding('zipPrefixed', { bytes: found.shift }, 0))
  const after = tail.length - endOf(tail, at)
  if (after > 0) findings.push(finding('zipBytesBehind', { bytes: after }, tailFrom + tail.length - after))
  if (after < 0) findings.push(finding('zipDirectoryMissing.comment', { bytes: -after }, tailFrom + tail.length))
  return findings
}
