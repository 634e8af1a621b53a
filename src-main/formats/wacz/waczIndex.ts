/** Checks the indexes of a WACZ: lines that are invalid, out of order, or point outside of files, and entries of the
 *  index of blocks that do not match the blocks. Index lines are made in cdx. */
import { createHash } from 'node:crypto'
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import { isCdxjHeader } from '../cdx/canonicaliser.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { finding, findingWith, findingWithin, type Finding } from '../rules/finding.ts'
import { parseLabelledDigest } from '../bytes/digest.ts'
import { openGzipMember } from '../packing/gzipMembers.ts'
import { linesOf, type Line } from '../bytes/lines.ts'
import { objectOf } from '../bytes/json.ts'
import { roleOf } from './wacz.ts'
import { entryChunks, entrySource, type Zip, type ZipEntry } from './zip.ts'
import { quoted } from './zipNames.ts'
import { count, parseBlockLine, type BlockPointer } from './zipNum.ts'

type Report = (finding: Finding) => void

/** Ignores findings about the entry itself: they are reported when its hash is compared. */
function ofTheZip(): void {
  return
}

/** Length of each archive file in bytes, under every name that index lines use for it. */
export type ArchiveLengths = ReadonlyMap<string, number | undefined>

/** Returns the lengths of the archive files in a package. */
export function archiveLengths({ entries }: Zip): ArchiveLengths {
  const lengths = new Map<string, number | undefined>()
  for (const { path, bytes } of entries) {
    if (roleOf(path) !== 'archive') continue
    // Names relative to archive/ are the rule; whole paths and bare names also occur.
    for (const name of [path, path.replace(/^archive\//, ''), path.slice(path.lastIndexOf('/') + 1)])
      lengths.set(name, bytes)
  }
  return lengths
}

/** Checks the lines of one index. */
export async function checkIndex(
  zip: Zip,
  entry: ZipEntry,
  archives: ArchiveLengths,
  onFinding: Report,
): Promise<void> {
  const source = await entrySource(zip, entry, ofTheZip)
  if (!source) return
  try {
    const packed = await isGzip(source)
    const chunks = packed
      ? gzipContent(source, new Map(), (damage) =>
          onFinding(findingWithin(entry.path, findingWith('waczIndexDamaged', damage))),
        )
      : plainContent(source)
    await checkLines(linesOf(chunks), { path: entry.path, archives, onFinding })
  } finally {
    source.close()
  }
}

async function isGzip(source: ByteSource): Promise<boolean> {
  const first = Buffer.alloc(2)
  return (await source.read(first, 0)) === 2 && first.readUInt16BE(0) === 0x1f8b
}

/** Yields the content of an index that is not compressed. */
async function* plainContent(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const bytes = Buffer.allocUnsafeSlow(256 * 1024)
    const read = await source.read(bytes, position)
    if (read === 0) return
    position += read
    yield bytes.subarray(0, read)
  }
}

/** Yields the content of all members; `ends` receives the offset and the length of each. */
async function* gzipContent(
  source: ByteSource,
  ends: Map<number, number>,
  onDamage: (damage: Message) => void,
): AsyncGenerator<Uint8Array> {
  const window = new FileWindow(source)
  let offset = 0
  while (true) {
    const member = await openGzipMember(window, offset)
    if (!member) break
    try {
      for (let bytes = await member.next(); bytes; bytes = await member.next()) yield bytes
    } finally {
      member.close()
    }
    for (const { message } of member.findings) onDamage(message)
    if (!member.whole) return
    ends.set(offset, member.length)
    offset += member.length
  }
  if ((await window.view(offset, 1)).length > 0) onDamage(message('found.noMember', { offset }))
}

/** What the lines of an index are checked against; `path` is that of the index, for findings. */
interface LineCheck {
  path: string
  archives: ArchiveLengths
  onFinding: Report
}

async function checkLines(lines: AsyncIterable<Line>, check: LineCheck): Promise<void> {
  let before: Buffer | undefined
  for await (const line of lines) {
    if (line.text.trim() === '' || isCdxjHeader(line.text)) continue
    const key = checkLine(line, check)
    if (key === undefined) continue
    const bytes = Buffer.from(key)
    if (before && before.compare(bytes) > 0) {
      const found = finding('waczIndexUnsorted', { line: line.number, key: quoted(key) })
      check.onFinding(findingWithin(check.path, found))
    }
    before = bytes
  }
}

/** Checks a line, and returns its sort key; undefined when it is no CDXJ line. */
function checkLine({ number, text, cut }: Line, { path, archives, onFinding }: LineCheck): string | undefined {
  const [key = ''] = /^\S+ \d{14}(\d{3})? (?=\{)/.exec(text) ?? []
  const row = key === '' || cut ? undefined : objectOf(text.slice(key.length))
  const offset = count(row?.offset)
  const filename = row?.filename
  if (!row || offset === undefined || typeof filename !== 'string') {
    onFinding(findingWithin(path, finding('waczIndexLineInvalid', { line: number, text: quoted(text) })))
    return key === '' ? undefined : key
  }
  const end = offset + (count(row.length) ?? 1)
  const place = { line: number, offset, end, file: quoted(filename) }
  const bytes = archives.get(filename)
  if (!archives.has(filename)) onFinding(findingWithin(path, finding('waczIndexLineOutside.absent', place)))
  else if (bytes !== undefined && end > bytes)
    onFinding(findingWithin(path, finding('waczIndexLineOutside', { ...place, bytes })))
  return key
}

/** Checks an index of blocks against the index that contains the blocks. */
export async function checkBlocks(zip: Zip, entry: ZipEntry, onFinding: Report): Promise<void> {
  const report = (found: Finding): void => onFinding(findingWithin(entry.path, found))
  const pointers = new Map<string, { line: number; pointer: BlockPointer }[]>()
  let filename = 'index.cdx.gz'
  for await (const { number, text } of linesOf(entryChunks(zip, entry, ofTheZip))) {
    if (text.trim() === '') continue
    const parsed = parseBlockLine(text)
    if (!parsed) report(finding('waczIndexBlockWrong', { line: number, text: quoted(text) }))
    else if ('header' in parsed) filename = parsed.header.filename ?? filename
    else {
      const name = parsed.pointer.filename ?? filename
      const rows = pointers.get(name) ?? []
      pointers.set(name, rows)
      rows.push({ line: number, pointer: parsed.pointer })
    }
  }
  for (const [name, rows] of pointers) {
    const index = zip.entries.find(({ path }) => path === `indexes/${name}` || path === name)
    if (!index) report(finding('waczIndexBlockWrong.absent', { file: quoted(name) }))
    else await checkPointers(zip, index, rows, report)
  }
}

/** Checks each pointer of an index of blocks: its member begins where it says, has its length, and matches its
 *  digest. */
async function checkPointers(
  zip: Zip,
  index: ZipEntry,
  rows: { line: number; pointer: BlockPointer }[],
  report: Report,
): Promise<void> {
  const source = await entrySource(zip, index, ofTheZip)
  if (!source) return
  try {
    const members = new Map<number, number>()
    // Damage is reported for the index itself.
    for await (const bytes of gzipContent(source, members, () => undefined)) void bytes
    const ends = new Set([...members].map(([offset, length]) => offset + length))
    for (const { line, pointer } of rows) {
      const { offset, length, digest } = pointer
      const place = { line, offset, end: offset + length, file: index.path }
      if (!members.has(offset) || !ends.has(offset + length)) report(finding('waczIndexBlockWrong.ends', place))
      else if (digest !== undefined && !(await agrees(source, pointer, digest)))
        report(finding('waczIndexBlockWrong.digest', place))
    }
  } finally {
    source.close()
  }
}

/** Compares the hash of a block with the stated one; false for an algorithm that is not supported. */
async function agrees(source: ByteSource, { offset, length }: BlockPointer, stated: string): Promise<boolean> {
  const digest = parseLabelledDigest(stated)
  if (!digest) return false
  const hash = createHash(digest.algorithm)
  for (let at = 0; at < length;) {
    const bytes = Buffer.alloc(Math.min(256 * 1024, length - at))
    const read = await source.read(bytes, offset + at)
    if (read === 0) break
    hash.update(bytes.subarray(0, read))
    at += read
  }
  return hash.digest('hex') === digest.hex
}
