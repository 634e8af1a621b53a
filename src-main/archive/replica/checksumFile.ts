/** The file that holds the entries of a replica of checksums. An entry is added by appending its line and syncing. A line counts only
 *  once it has its line end, so an addition is atomic and its cost does not depend on the number of entries. An entry is removed by
 *  writing the whole file under a temporary name and renaming it.
 *
 *  Only the offsets of the lines are kept in memory. The content of an entry is read from disk on each request, so that bit errors on
 *  the disk are noticed. */
import { join } from 'node:path'
import { DiskFault, type Disk, type ReadableFile, type WritableFile } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { temporaryName } from '../files/names.ts'
import { chunksOf } from '../files/readThrough.ts'
import { entryOf, lineBytesMax, lineCutter, lineOf, type ChecksumEntry } from './checksumLines.ts'
import { undefinedOnFault, undefinedWhenAbsent } from '../files/undefinedWhen.ts'

/** File name that users of `sha256sum` expect. */
export const checksumFileName = 'SHA256SUMS'
/** Name of the file that receives entries found to be wrong. */
export const wrongEntriesName = `${checksumFileName}.wrong`

/** Maximum number of entries; each takes about 150 bytes of memory. An archive with more files holds more than a thousand terabytes. */
const entriesCountMax = 2_000_000

interface Index {
  offsets: Map<string, number>
  /** Names listed with two different checksums, neither of which can be trusted. */
  contradicted: Set<string>
  /** Length of the file up to the end of its last complete line. */
  bytes: number
  tornBytes: number
  /** Size and modification time of the file when it was read, to notice changes. */
  stamp: string
}

/** The checksum file of one replica. Calls run one after the other. */
export interface ChecksumFile {
  readonly path: string
  readonly wrongPath: string
  /** Reads the file and returns the names of all entries. */
  names(): Promise<string[]>
  /** Entry of a name; undefined when there is none. Throws `ArchiveFault` when the file lists two checksums for it. */
  find(name: string): Promise<ChecksumEntry | undefined>
  /** Adds an entry and returns when it is on the device. Does nothing when the name already has an entry. */
  append(entry: ChecksumEntry): Promise<void>
  /** Moves the lines of the name to the file of wrong entries and returns the path of that file. */
  setAside(name: string): Promise<string>
  /** Entries of the name in the file of wrong entries, oldest first. */
  wrongEntries(name: string): Promise<ChecksumEntry[]>
  sync(): Promise<void>
}

export function checksumFile(disk: Disk, folder: string): ChecksumFile {
  const path = join(folder, checksumFileName)
  const wrongPath = join(folder, wrongEntriesName)
  let known: Index | undefined
  let isNameSynced = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs actions one after the other: two additions must not write at the same offset. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = last.then(act, act)
    last = mine
    return mine
  }

  async function stampNow(): Promise<string> {
    const found = await disk.stat(path)
    return found ? `${found.bytes} ${found.modifiedAtMs}` : 'absent'
  }

  async function index(): Promise<Index> {
    const stamp = await stampNow()
    if (known?.stamp !== stamp) known = { ...(await read(disk, path)), stamp }
    return known
  }

  async function lineAt(offset: number): Promise<ChecksumEntry | undefined> {
    return reading(disk, path, async (file) => {
      const into = Buffer.alloc(lineBytesMax)
      const text = into.toString('utf8', 0, await file.read(into, offset))
      const end = text.indexOf('\n')
      return end < 0 ? undefined : entryOf(text.slice(0, end))
    })
  }

  async function find(name: string): Promise<ChecksumEntry | undefined> {
    const { offsets, contradicted } = await index()
    if (contradicted.has(name))
      throw new ArchiveFault('refused', `${path} has two different checksums of ${name}: take the wrong line out of it`)
    const offset = offsets.get(name)
    const entry = offset === undefined ? undefined : await lineAt(offset)
    if (offset === undefined || entry?.name === name) return entry
    // The line has changed: through a disk error, or because the file was rewritten.
    known = { ...(await read(disk, path)), stamp: await stampNow() }
    const again = known.offsets.get(name)
    return again === undefined ? undefined : lineAt(again)
  }

  async function append(entry: ChecksumEntry): Promise<void> {
    const before = await index()
    if (before.offsets.has(entry.name)) return
    await keepTorn(before)
    known = undefined
    const file = await disk.openWrite(path, 'append')
    try {
      await file.truncate(before.bytes)
      await file.append([Buffer.from(lineOf(entry))])
      await file.sync()
    } catch (error) {
      await file.truncate(before.bytes).catch(undefinedOnFault)
      throw error
    } finally {
      await file.close()
    }
    // An earlier addition may have created the file and failed before its name was on the device.
    if (!isNameSynced) await disk.syncFolder(folder)
    isNameSynced = true
    before.offsets.set(entry.name, before.bytes)
    known = { ...before, bytes: before.bytes + lineOf(entry).length, tornBytes: 0, stamp: await stampNow() }
  }

  /** Copies an incomplete last line to the file of wrong entries before it is cut off: it may have been typed by the user without a
   *  line end. */
  async function keepTorn({ bytes, tornBytes }: Index): Promise<void> {
    if (tornBytes === 0) return
    await keepWrong((wrong) =>
      reading(disk, path, (file) =>
        copyRange(file, { offset: bytes, bytes: tornBytes }, (piece) => wrong.append([piece])),
      ),
    )
  }

  /** Appends to the file of wrong entries. `write` omits the final line end, which is added afterwards. */
  async function keepWrong(write: (wrong: WritableFile) => Promise<void>): Promise<void> {
    const file = await disk.openWrite(wrongPath, 'append')
    try {
      await write(file)
      await file.append([Buffer.from('\n')])
      await file.sync()
    } finally {
      await file.close()
    }
    await disk.syncFolder(folder)
  }

  /** Rewrites the file without the lines of the name. Lines that are not entries are kept. */
  async function without(name: string): Promise<void> {
    const temporary = join(folder, temporaryName(checksumFileName))
    const file = await disk.openWrite(temporary, 'append')
    try {
      await file.truncate(0)
      await reading(disk, path, async (from) => {
        const { cut } = lineCutter()
        const keep = (offset: number, end: number) =>
          copyRange(from, { offset, bytes: end - offset }, (piece) => file.append([piece]))
        // The bytes between two lines of the name are copied at once: one write per line takes a minute for a million lines.
        let [kept, end] = [0, 0]
        for await (const chunk of chunksOf(from)) {
          for (const { offset, bytes, entry } of cut(chunk)) {
            end = offset + bytes
            if (entry?.name !== name) continue
            await keep(kept, offset)
            kept = end
          }
        }
        await keep(kept, end)
      })
      await file.sync()
    } finally {
      await file.close()
    }
    await disk.rename(temporary, path)
    await disk.syncFolder(folder)
    known = undefined
  }

  return {
    path,
    wrongPath,
    names: () =>
      inTurn(async () => {
        known = undefined
        return [...(await index()).offsets.keys()]
      }),
    find: (name) => inTurn(() => find(name)),
    append: (entry) => inTurn(() => append(entry)),
    setAside: (name) =>
      inTurn(async () => {
        // There is more than one line when they contradict each other.
        const lines = new Set((await entriesOf(disk, path, name)).map(lineOf))
        if (lines.size > 0) await keepWrong((wrong) => wrong.append([Buffer.from([...lines].join('').trimEnd())]))
        await keepTorn(await index())
        await without(name)
        return wrongPath
      }),
    wrongEntries: (name) => inTurn(() => entriesOf(disk, wrongPath, name)),
    sync: () =>
      inTurn(async () => {
        await disk.syncFile(path)
        await disk.syncFolder(folder)
      }),
  }
}

async function read(disk: Disk, path: string): Promise<Omit<Index, 'stamp'>> {
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
      throw new ArchiveFault('refused', `${path} has more than ${entriesCountMax} entries`)
  }
  await reading(disk, path, async (file) => {
    for await (const chunk of chunksOf(file)) take(chunk)
  }).catch(undefinedWhenAbsent)
  return { offsets, contradicted, bytes, tornBytes: torn() }
}

async function entriesOf(disk: Disk, path: string, name: string): Promise<ChecksumEntry[]> {
  const entries: ChecksumEntry[] = []
  const { cut } = lineCutter()
  await reading(disk, path, async (file) => {
    for await (const chunk of chunksOf(file))
      for (const { entry } of cut(chunk)) if (entry?.name === name) entries.push(entry)
  }).catch(undefinedWhenAbsent)
  return entries
}

async function copyRange(
  file: ReadableFile,
  { offset, bytes }: { offset: number; bytes: number },
  to: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.alloc(Math.min(bytes, 65_536))
  for (let done = 0; done < bytes;) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, bytes - done))
    const read = await file.read(wanted, offset + done)
    if (read === 0)
      throw new DiskFault('failed', checksumFileName, { cause: new Error('it became shorter while it was read') })
    await to(wanted.subarray(0, read))
    done += read
  }
}

async function reading<T>(disk: Disk, path: string, act: (file: ReadableFile) => Promise<T>): Promise<T> {
  const file = await disk.openRead(path)
  try {
    return await act(file)
  } finally {
    await file.close()
  }
}
