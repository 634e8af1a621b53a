/** The file that holds the entries of a replica of checksums. An entry is added by appending its line and syncing. A line counts only
 *  once it has its line end, so an addition is atomic and its cost does not depend on the number of entries. An entry is removed by
 *  writing the whole file under a temporary name and renaming it.
 *
 *  Only the offsets of the lines are kept in memory (`checksumIndex.ts`). The content of an entry is read from disk on each request, so
 *  that bit errors on the disk are noticed. */
import { join } from 'node:path'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { message } from '../../contract/words/message.ts'
import type { Disk, WritableFile } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { temporaryName } from '../files/names.ts'
import { chunksOf } from '../files/readThrough.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { copyRange, entriesOf, entryAt, reading, readIndex, type ChecksumIndex } from './checksumIndex.ts'
import { lineCutter, lineOf, type ChecksumEntry } from './checksumLines.ts'

/** File name that users of `sha256sum` expect. */
export const checksumFileName = 'SHA256SUMS'
/** Name of the file that receives entries found to be wrong. */
export const wrongEntriesName = `${checksumFileName}.wrong`

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

interface Files {
  disk: Disk
  folder: string
  path: string
  wrongPath: string
}

/** Opens the checksum file in this folder, which may be absent: the first entry creates it. */
export function checksumFile(disk: Disk, folder: string): ChecksumFile {
  const files: Files = { disk, folder, path: join(folder, checksumFileName), wrongPath: join(folder, wrongEntriesName) }
  const { path, wrongPath } = files
  const known = knownIndex(disk, path)
  /** Two additions must not write at the same offset. */
  const inTurn = oneAtATime()
  let isNameSynced = false

  async function find(name: string): Promise<ChecksumEntry | undefined> {
    const { offsets, contradicted } = await known.current()
    if (contradicted.has(name)) throw new ArchiveFault('refused', message('replica.list.contradicts', { path, name }))
    const offset = offsets.get(name)
    const entry = offset === undefined ? undefined : await entryAt(disk, path, offset)
    if (offset === undefined || entry?.name === name) return entry
    // The line has changed: through a disk error, or because the file was rewritten.
    known.forget()
    const again = (await known.current()).offsets.get(name)
    return again === undefined ? undefined : entryAt(disk, path, again)
  }

  async function append(entry: ChecksumEntry): Promise<void> {
    const before = await known.current()
    if (before.offsets.has(entry.name)) return
    await keepTorn(files, before)
    known.forget()
    await appendLine(disk, path, { offset: before.bytes, line: lineOf(entry) })
    // An earlier addition may have created the file and failed before its name was on the device.
    if (!isNameSynced) await disk.syncFolder(folder)
    isNameSynced = true
    before.offsets.set(entry.name, before.bytes)
    await known.set({ ...before, bytes: before.bytes + lineOf(entry).length, tornBytes: 0 })
  }

  async function setAside(name: string): Promise<string> {
    // There is more than one line when they contradict each other.
    const lines = new Set((await entriesOf(disk, path, name)).map(lineOf))
    if (lines.size > 0) await keepWrong(files, (wrong) => wrong.append([Buffer.from([...lines].join('').trimEnd())]))
    await keepTorn(files, await known.current())
    await rewriteWithout(files, name)
    known.forget()
    return wrongPath
  }

  async function sync(): Promise<void> {
    await disk.syncFile(path)
    await disk.syncFolder(folder)
  }

  async function names(): Promise<string[]> {
    known.forget()
    return [...(await known.current()).offsets.keys()]
  }

  return {
    path,
    wrongPath,
    names: () => inTurn(names),
    find: (name) => inTurn(() => find(name)),
    append: (entry) => inTurn(() => append(entry)),
    setAside: (name) => inTurn(() => setAside(name)),
    wrongEntries: (name) => inTurn(() => entriesOf(disk, wrongPath, name)),
    sync: () => inTurn(sync),
  }
}

/** The index of the file, read again when the size or the modification time of the file has changed. */
function knownIndex(disk: Disk, path: string) {
  let known: { index: ChecksumIndex; stamp: string } | undefined

  async function stampNow(): Promise<string> {
    const found = await disk.stat(path)
    return found ? `${found.bytes} ${found.modifiedAtMs}` : 'absent'
  }

  return {
    async current(): Promise<ChecksumIndex> {
      const stamp = await stampNow()
      if (known?.stamp !== stamp) known = { index: await readIndex(disk, path), stamp }
      return known.index
    },
    /** Sets the index after an addition, so that the file need not be read again. */
    async set(index: ChecksumIndex): Promise<void> {
      known = { index, stamp: await stampNow() }
    },
    forget: () => void (known = undefined),
  }
}

/** Writes a line at the end of the complete lines and syncs it. Removes what was written of it when that fails. */
async function appendLine(disk: Disk, path: string, { offset, line }: { offset: number; line: string }): Promise<void> {
  const file = await disk.openWrite(path, 'append')
  try {
    await file.truncate(offset)
    await file.append([Buffer.from(line)])
    await file.sync()
  } catch (error) {
    await file.truncate(offset).catch(undefinedOnFault)
    throw error
  } finally {
    await file.close()
  }
}

/** Copies an incomplete last line to the file of wrong entries before it is cut off: the user may have typed it without a line end. */
async function keepTorn(files: Files, { bytes, tornBytes }: ChecksumIndex): Promise<void> {
  const { disk, path } = files
  if (tornBytes === 0) return
  const range = { path, offset: bytes, bytes: tornBytes }
  await keepWrong(files, (wrong) =>
    reading(disk, path, (file) => copyRange(file, range, (piece) => wrong.append([piece]))),
  )
}

/** Appends to the file of wrong entries. `write` omits the final line end, which is added afterwards. */
async function keepWrong(
  { disk, folder, wrongPath }: Files,
  write: (wrong: WritableFile) => Promise<void>,
): Promise<void> {
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
async function rewriteWithout({ disk, folder, path }: Files, name: string): Promise<void> {
  const temporary = join(folder, temporaryName(checksumFileName))
  const to = await disk.openWrite(temporary, 'append')
  try {
    await to.truncate(0)
    await copyWithout(disk, path, { to, name })
    await to.sync()
  } finally {
    await to.close()
  }
  await disk.rename(temporary, path)
  await disk.syncFolder(folder)
}

/** The bytes between two lines of the name are copied at once: one write per line takes a minute for a million lines. */
async function copyWithout(disk: Disk, path: string, { to, name }: { to: WritableFile; name: string }): Promise<void> {
  await reading(disk, path, async (from) => {
    const { cut } = lineCutter()
    const keep = (offset: number, end: number) =>
      copyRange(from, { path, offset, bytes: end - offset }, (piece) => to.append([piece]))
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
}
