/** The one file of a replica of checksums. An entry is added by appending its line and syncing: until the line has its end
 *  it does not count, so an addition is there as a whole or not at all, and costs the same however many there are. An
 *  entry is removed by writing the whole file under a temporary name and renaming it.
 *
 *  In memory is only where each line begins. What an entry says is read from the disk each time it is asked for: bits that
 *  turn over there must show. */
import { join } from 'node:path'
import { DiskFault, type Disk, type ReadableFile, type WritableFile } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { temporaryName } from '../files/names.ts'
import { chunksOf } from '../files/readThrough.ts'
import { entryOf, lineBytesMax, lineCutter, lineOf, type ChecksumEntry } from './checksumLines.ts'
import { undefinedOnFault, undefinedWhenAbsent } from '../files/undefinedWhen.ts'

/** The name under which people look for it. */
export const checksumFileName = 'SHA256SUMS'
/** Where lines go that were found wrong. */
export const wrongEntriesName = `${checksumFileName}.wrong`

/** Each takes about 150 bytes of memory. An archive with more files than this is one of more than a thousand terabytes. */
const entriesCountMax = 2_000_000

interface Index {
  offsets: Map<string, number>
  /** Names with two different checksums, of which neither can be trusted. */
  contradicted: Set<string>
  /** Up to the end of the last whole line. */
  bytes: number
  tornBytes: number
  /** As the file was when it was read. */
  stamp: string
}

export interface ChecksumFile {
  readonly path: string
  readonly wrongPath: string
  /** Reads the file again. */
  names(): Promise<string[]>
  /** Undefined when there is none; throws `ArchiveFault` when the file contradicts itself. */
  find(name: string): Promise<ChecksumEntry | undefined>
  /** Returns when it is on the device. Where there is an entry of the name already, nothing is done. */
  append(entry: ChecksumEntry): Promise<void>
  /** Moves the lines of the name to the file of wrong ones. */
  setAside(name: string): Promise<string>
  /** The lines of the name among the wrong ones, the oldest first. */
  wrongEntries(name: string): Promise<ChecksumEntry[]>
  sync(): Promise<void>
}

export function checksumFile(disk: Disk, folder: string): ChecksumFile {
  const path = join(folder, checksumFileName)
  const wrongPath = join(folder, wrongEntriesName)
  let known: Index | undefined
  let isNameSynced = false
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: two additions must not both take the same end for theirs. */
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
    // The line is no longer what it was: the disk changed it, or the file was written again.
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
    // An earlier addition may have made the file, and failed before its name was on the device.
    if (!isNameSynced) await disk.syncFolder(folder)
    isNameSynced = true
    before.offsets.set(entry.name, before.bytes)
    known = { ...before, bytes: before.bytes + lineOf(entry).length, tornBytes: 0, stamp: await stampNow() }
  }

  /** Half a line may be a person's, who forgot its end: it is kept where the wrong ones are, all of it. */
  async function keepTorn({ bytes, tornBytes }: Index): Promise<void> {
    if (tornBytes === 0) return
    await keepWrong((wrong) =>
      reading(disk, path, (file) =>
        copyRange(file, { offset: bytes, bytes: tornBytes }, (piece) => wrong.append([piece])),
      ),
    )
  }

  /** `write` leaves out the end of the last line, which comes behind it. */
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

  /** Everything but the lines of the name, also what says nothing: it is not ours to drop. */
  async function without(name: string): Promise<void> {
    const temporary = join(folder, temporaryName(checksumFileName))
    const file = await disk.openWrite(temporary, 'append')
    try {
      await file.truncate(0)
      await reading(disk, path, async (from) => {
        const { cut } = lineCutter()
        const keep = (offset: number, end: number) =>
          copyRange(from, { offset, bytes: end - offset }, (piece) => file.append([piece]))
        // What lies between two lines of the name goes at once: a write for each of a million lines takes a minute.
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
        // More than one where they contradict each other.
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
