/** Where the entries of a checksum file are. Only the offsets of the lines are kept in memory, about 150 bytes for each entry. */
import { message } from '../../contract/words/message.ts'
import { DiskFault, type Disk, type ReadableFile } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { chunksOf } from '../files/readThrough.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'
import { entryOf, lineBytesMax, lineCutter, type ChecksumEntry } from './checksumLines.ts'

/** Maximum number of entries. An archive with more files holds more than a thousand terabytes. */
const entriesCountMax = 2_000_000

export interface ChecksumIndex {
  /** Offset of the line of each name; of the last line where a name has several. */
  offsets: Map<string, number>
  /** Names listed with different checksums. None of these checksums can be trusted. */
  contradicted: Set<string>
  /** Length of the file up to the end of its last complete line. */
  bytes: number
  /** Length of an incomplete last line. */
  tornBytes: number
}

/** Reads the whole file. An absent file has no entries. Throws `ArchiveFault` when there are too many. */
export async function readIndex(disk: Disk, path: string): Promise<ChecksumIndex> {
  const offsets = new Map<string, number>()
  const checksums = new Map<string, string>()
  const contradicted = new Set<string>()
  const { cut, torn } = lineCutter()
  let bytes = 0
  const take = (chunk: Uint8Array) => {
    for (const line of cut(chunk)) {
      bytes = line.offset + line.bytes
      if (!line.entry) continue
      const { name, sha256 } = line.entry
      const before = checksums.get(name)
      if (before !== undefined && before !== sha256) contradicted.add(name)
      checksums.set(name, sha256)
      offsets.set(name, line.offset)
    }
    if (offsets.size > entriesCountMax)
      throw new ArchiveFault('refused', message('replica.list.tooLong', { path, max: entriesCountMax }))
  }
  await reading(disk, path, async (file) => {
    for await (const chunk of chunksOf(file)) take(chunk)
  }).catch(undefinedWhenAbsent)
  return { offsets, contradicted, bytes, tornBytes: torn() }
}

/** All entries of one name, in their order; none when the file is absent. */
export async function entriesOf(disk: Disk, path: string, name: string): Promise<ChecksumEntry[]> {
  const entries: ChecksumEntry[] = []
  const { cut } = lineCutter()
  await reading(disk, path, async (file) => {
    for await (const chunk of chunksOf(file))
      for (const { entry } of cut(chunk)) if (entry?.name === name) entries.push(entry)
  }).catch(undefinedWhenAbsent)
  return entries
}

/** The entry in the line at this offset; undefined when there is none. */
export function entryAt(disk: Disk, path: string, offset: number): Promise<ChecksumEntry | undefined> {
  return reading(disk, path, async (file) => {
    const into = Buffer.alloc(lineBytesMax)
    const text = into.toString('utf8', 0, await file.read(into, offset))
    const end = text.indexOf('\n')
    return end < 0 ? undefined : entryOf(text.slice(0, end))
  })
}

/** Passes a range of the file's bytes on, piece by piece. Throws `DiskFault` when the file ends before the range does. */
export async function copyRange(
  file: ReadableFile,
  { path, offset, bytes }: { path: string; offset: number; bytes: number },
  to: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.alloc(Math.min(bytes, 65_536))
  for (let done = 0; done < bytes;) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, bytes - done))
    const read = await file.read(wanted, offset + done)
    if (read === 0) throw new DiskFault('failed', path, { cause: new Error('it became shorter while it was read') })
    await to(wanted.subarray(0, read))
    done += read
  }
}

/** Opens the file for one action and closes it afterwards. */
export async function reading<T>(disk: Disk, path: string, act: (file: ReadableFile) => Promise<T>): Promise<T> {
  const file = await disk.openRead(path)
  try {
    return await act(file)
  } finally {
    await file.close()
  }
}
