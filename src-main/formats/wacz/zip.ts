/** Reads zip files for WACZ: entries as sources of bytes, from a file that may be truncated, may have bytes before
 *  or after it, and may contain wrong statements. npm packages for zip stop at the first fault and return streams,
 *  whereas records are found by offset. The entries are interpreted in wacz.ts, and files are written in
 *  zipWriter.ts. Nothing is ever extracted to a path named in the file. */
import { crc32 } from 'node:zlib'
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import type { RuleName } from '../rules/rules.ts'
import { InflatedSource } from './inflatedSource.ts'
import { deflateRatioMax } from '../packing/gzipMembers.ts'
import { findDirectory, type Directory } from './zipDirectory.ts'
import { headerBytesMax, parseDirectoryHeader, parseLocalHeader, zipFlags, zipMethods } from './zipHeaders.ts'
import type { EntryHeader } from './zipHeaders.ts'
import { entryName, quoted } from './zipNames.ts'
import { walkZip } from './zipWalk.ts'

/** A file in a zip. */
export interface ZipEntry {
  /** Name as written in the zip. */
  name: string
  /** Safe form of the name: never empty, never outside of the package. */
  path: string
  kind: 'stored' | 'deflated' | 'unreadable'
  compressedBytes: number
  /** Unpacked length stated by the zip, limited to what the compressed bytes can yield; undefined when only
   *  unpacking shows it. */
  bytes: number | undefined
  crc32: number | undefined
  /** Offset of its local header in the file. */
  headerOffset: number
  /** Offset of its data; undefined until the local header is read. */
  dataOffset: number | undefined
}

/** An open zip file of `bytes` bytes. */
export interface Zip {
  source: ByteSource
  bytes: number
  /** Entries by offset, so that reading all of them is one pass over the file. */
  entries: ZipEntry[]
}

/** A source that holds resources until it is closed. */
export interface EntrySource extends ByteSource {
  close(): void
}

/** Maximum number of entries, at 300 bytes of memory each. The largest WACZ seen, with an entry for every exchange,
 *  had 10,000. */
const entriesMax = 1_000_000

/** Receives the findings about a zip. */
type Report = (finding: Finding) => void

/** Opens a zip of `bytes` bytes. Without a usable central directory, the file is searched for entries. */
export async function openZip(source: ByteSource, bytes: number, onFinding: Report): Promise<Zip> {
  const found = await findDirectory(source, bytes)
  for (const finding of found.findings) onFinding(finding)
  const listed = found.directory ? await listedEntries(source, found.directory, onFinding) : undefined
  const entries = listed ?? (await walkedEntries(source, bytes, onFinding))
  entries.sort((a, b) => a.headerOffset - b.headerOffset)
  refuseOverlaps(entries, onFinding)
  reportNames(entries, onFinding)
  const nothing = entries.length === 0 && (!found.directory || found.directory.entries > 0)
  if (nothing) onFinding(finding('zipNothingInside'))
  return { source, bytes, entries }
}

/** Returns the paths in the central directory, without reading anything else; undefined when there is no readable
 *  one. */
export async function listedPaths(source: ByteSource, bytes: number): Promise<string[] | undefined> {
  const { directory } = await findDirectory(source, bytes)
  const entries = directory && (await listedEntries(source, directory, () => undefined))
  return entries?.map(({ path }) => path)
}

/** Returns the entry with this path: the last one, because adding to a zip replaces, and preferably one whose name
 *  was written this way rather than made safe. */
export function zipEntry({ entries }: Pick<Zip, 'entries'>, path: string): ZipEntry | undefined {
  return entries.findLast(({ name }) => name === path) ?? entries.findLast((entry) => entry.path === path)
}

/** Returns the entries of the central directory; undefined when it is invalid, and the file has to be searched. */
async function listedEntries(
  source: ByteSource,
  directory: Directory,
  onFinding: Report,
): Promise<ZipEntry[] | undefined> {
  const window = new FileWindow(source)
  const entries: ZipEntry[] = []
  const held: Finding[] = []
  let at = directory.from
  let count = 0
  while (at < directory.to && count < entriesMax) {
    const view = await window.view(at, headerBytesMax)
    const header = parseDirectoryHeader(view.subarray(0, directory.to - at))
    if (!header) break
    count++
    at += header.length
    const entry = entryOf(header, header.offset + directory.shift, undefined, (finding) => held.push(finding))
    if (entry) entries.push(entry)
  }
  if (at < directory.to && count < entriesMax) {
    onFinding(finding('zipDirectoryWrong', { number: count }, at))
    return undefined
  }
  for (const finding of held) onFinding(finding)
  if (count === entriesMax && at < directory.to) onFinding(finding('zipEntriesTooMany', { entriesMax }, at))
  else if (count !== directory.entries)
    onFinding(finding('zipEntryCountDiffers', { stated: directory.entries, count }, directory.to))
  return entries
}

/** Finds the entries of a package without a usable directory, by reading it from the beginning. */
async function walkedEntries(source: ByteSource, bytes: number, onFinding: Report): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = []
  for await (const walked of walkZip(source, bytes)) {
    if (entries.length === entriesMax) {
      onFinding(finding('zipEntriesTooMany', { entriesMax }, walked.headerOffset))
      break
    }
    const { compressedBytes, crc32, torn, dataOffset, headerOffset } = walked
    const header = { ...walked.header, compressedBytes, bytes: walked.bytes, crc32 }
    const entry = entryOf(header, headerOffset, dataOffset, onFinding)
    if (!entry) continue
    entries.push(entry)
    if (torn) onFinding(finding('zipEntryTorn', { path: quoted(entry.name) }, dataOffset + compressedBytes))
  }
  return entries
}

/** What a header states about its entry. Lengths and checksum are unknown when a descriptor is missing. */
type StatedHeader = Pick<EntryHeader, 'flags' | 'method' | 'name' | 'unicodeName' | 'compressedBytes'> & {
  bytes: number | undefined
  crc32: number | undefined
}

/** Returns the entry of a header; undefined for a folder. */
function entryOf(
  header: StatedHeader,
  headerOffset: number,
  dataOffset: number | undefined,
  onFinding: Report,
): ZipEntry | undefined {
  const { name, path, findings } = entryName(header, headerOffset)
  for (const finding of findings) onFinding(finding)
  if (name.endsWith('/')) return undefined
  const { compressedBytes, crc32 } = header
  const kind = kindOf(header, name, headerOffset, onFinding)
  const bytes = kind === 'stored' && dataOffset !== undefined ? compressedBytes : header.bytes
  const entry = { name, path, kind, compressedBytes, bytes, crc32, headerOffset, dataOffset }
  if (kind === 'unreadable' || bytes === undefined) return entry
  const possible = kind === 'stored' ? compressedBytes : compressedBytes * deflateRatioMax
  if (bytes <= possible && (kind === 'deflated' || bytes === compressedBytes)) return entry
  const lengths = { path: quoted(name), bytes: compressedBytes, stated: bytes }
  onFinding(finding('zipEntryLength.impossible', lengths, headerOffset))
  return { ...entry, bytes: possible }
}

/** Returns how an entry is stored. Encrypted entries and unknown methods are reported as unreadable. */
function kindOf(header: StatedHeader, name: string, offset: number, onFinding: Report): ZipEntry['kind'] {
  if (header.flags & (zipFlags.encrypted | zipFlags.strongEncryption | zipFlags.maskedHeaders)) {
    onFinding(finding('zipEntryEncrypted', { path: quoted(name) }, offset))
    return 'unreadable'
  }
  if (header.method === zipMethods.stored) return 'stored'
  if (header.method === zipMethods.deflated) return 'deflated'
  onFinding(finding('zipMethodUnknown', { path: quoted(name), method: header.method }, offset))
  return 'unreadable'
}

/** Makes overlapping entries unreadable: many entries over the same bytes let a small file claim to be a large one,
 *  and each of them would be unpacked. */
function refuseOverlaps(entries: ZipEntry[], onFinding: Report): void {
  let end = 0
  for (const entry of entries) {
    if (entry.headerOffset < end) {
      onFinding(finding('zipEntriesOverlap', { path: quoted(entry.name) }, entry.headerOffset))
      entry.kind = 'unreadable'
      continue
    }
    end = (entry.dataOffset ?? entry.headerOffset) + entry.compressedBytes
  }
}

/** Reports paths that occur more than once; readers of WACZ differ in which entry they use. */
function reportNames(entries: ZipEntry[], onFinding: Report): void {
  const seen = new Set<string>()
  for (const { path, headerOffset } of entries) {
    if (seen.has(path)) onFinding(finding('zipNameTwice', { path: quoted(path) }, headerOffset))
    seen.add(path)
  }
}

/** Opens the unpacked bytes of an entry. Returns undefined when it cannot be read; the reason is reported. */
export async function entrySource(zip: Zip, entry: ZipEntry, onFinding: Report): Promise<EntrySource | undefined> {
  if (entry.kind === 'unreadable') return undefined
  const from = entry.dataOffset ?? (await dataOffset(zip, entry, onFinding))
  if (from === undefined) return undefined
  const left = Math.max(0, zip.bytes - from)
  if (entry.compressedBytes > left && entry.dataOffset === undefined)
    onFinding(finding('zipEntryTorn', { path: quoted(entry.name) }, zip.bytes))
  entry.dataOffset = from
  const compressedBytes = Math.min(entry.compressedBytes, left)
  const compressed = partOf(zip.source, from, compressedBytes)
  if (entry.kind === 'stored') return { ...compressed, close: () => undefined }
  return new InflatedSource({ compressed, compressedBytes, bytes: entry.bytes, label: quoted(entry.name), onFinding })
}

/** Returns the offset of an entry's data, which follows its local header: the length of that header is stated only
 *  there. */
async function dataOffset(zip: Zip, entry: ZipEntry, onFinding: Report): Promise<number | undefined> {
  const bytes = Buffer.allocUnsafe(headerBytesMax)
  const read = await zip.source.read(bytes, entry.headerOffset)
  const header = parseLocalHeader(bytes.subarray(0, read))
  if (!header) {
    onFinding(finding('zipEntryMissing', { path: quoted(entry.name) }, entry.headerOffset))
    return undefined
  }
  const { name } = entryName(header, entry.headerOffset)
  const method = entry.kind === 'stored' ? zipMethods.stored : zipMethods.deflated
  if (name !== entry.name || header.method !== method) {
    const stated = { path: quoted(entry.name), name: quoted(name), method: header.method }
    onFinding(finding('zipHeadersDiffer', stated, entry.headerOffset))
  }
  return entry.headerOffset + header.length
}

/** Returns a part of a source as a source of its own; reads end at its last byte. */
function partOf(source: ByteSource, from: number, bytes: number): ByteSource {
  return {
    read: (into, position) =>
      position >= bytes
        ? Promise.resolve(0)
        : source.read(into.subarray(0, Math.min(into.length, bytes - position)), from + position),
  }
}

/** Returns the unpacked length of an entry, by unpacking it when the length is not stated. */
export async function entryBytes(entry: ZipEntry, source: ByteSource): Promise<number> {
  if (entry.bytes !== undefined) return entry.bytes
  const window = new FileWindow(source)
  let bytes = 0
  for (let view = await window.view(0, 1); view.length > 0; view = await window.view(bytes, 1)) bytes += view.length
  return bytes
}

/** Size of the pieces in which an entry is read. */
const chunkBytes = 1024 * 1024

/** Yields all bytes of an entry. Its length and checksum are compared at the end. */
export async function* entryChunks(zip: Zip, entry: ZipEntry, onFinding: Report): AsyncGenerator<Uint8Array> {
  const reported: RuleName[] = []
  const source = await entrySource(zip, entry, (finding) => {
    reported.push(finding.rule)
    onFinding(finding)
  })
  if (!source) return
  let position = 0
  let checksum = 0
  try {
    while (true) {
      const bytes = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(1, (entry.bytes ?? Infinity) - position)))
      const read = await source.read(bytes, position)
      if (read === 0) break
      const chunk = bytes.subarray(0, read)
      position += read
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } finally {
    source.close()
  }
  // An entry that is torn or has another length cannot match its checksum; one finding is enough.
  if (entry.crc32 === undefined || reported.length > 0 || checksum === entry.crc32) return
  onFinding(finding('zipEntryChecksum', { path: quoted(entry.name) }, entry.headerOffset))
}

/** Returns a small entry in one piece; undefined when it has more than `bytesMax` bytes or cannot be read. */
export async function entryWhole(
  zip: Zip,
  entry: ZipEntry,
  bytesMax: number,
  onFinding: Report,
): Promise<Uint8Array | undefined> {
  if (entry.kind === 'unreadable') return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of entryChunks(zip, entry, onFinding)) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
