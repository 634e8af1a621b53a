/**
 * Files that a browser uploads. It cannot give a path, so the bytes are sent here piece by piece, into a folder of the archive, and the
 * path is then given to an import. Loupe owns the files in this folder: the import removes what it has stored, and a start removes what no
 * import waits for. The import decides what a file is and whether its name is acceptable; here a name is only checked to be a plain name.
 */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { moveAside, quarantineFolderFor } from '../../crawl/crawl.ts'
import type { WritableFile, World } from '../../world/world.ts'
import { faultsTranslated } from '../signals/faultsTranslated.ts'
import { bytesMessage } from '../../contract/text/quantities.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** A piece of an uploaded file. */
export interface Piece {
  name: string
  /** Offset of the piece in the file; 0 restarts the file. */
  from: number
  /** Length of the whole file. */
  bytesTotal: number
  bytes: AsyncIterable<Uint8Array>
}

/** Uploaded files of one archive. */
export interface Incoming {
  /**
   * Stores a piece. Resolves with the path once the file is complete and on the disk, null until then. Throws `Fault`: badInput, inUse,
   * refused, noSpace.
   */
  take(piece: Piece): Promise<{ path: string | null }>
  /** Removes what exists of a cancelled file. */
  drop(name: string): Promise<void>
}

/** What the folder of uploads needs from the engine. */
export interface IncomingParts {
  world: World
  folder: string
  /** Returns the paths given to imports that have not ended. */
  importing: () => string[]
  /** Destination of files that no import of this database waits for, when the database is older than they are; absent: they are removed. */
  quarantineFolder?: string | undefined
}

/** Opens the folder of uploads. Removes files that a former process received and no import waits for, or moves
 *  them to the quarantine. Rejects with `DiskFault`. */
export async function openIncoming(parts: IncomingParts): Promise<Incoming> {
  const { world, folder, importing } = parts
  const { disk } = world
  /** The piece being written of each name: one at a time. Settles when it has been written. */
  const busy = new Map<string, Promise<unknown>>()
  await clearLeftovers(parts)

  /** Writes a piece into the partial file, and returns the new length of that file. */
  async function append({ name, from, bytesTotal, bytes }: Piece): Promise<number> {
    const part = join(folder, partName(name))
    const file = await disk.openWrite(part, 'append')
    try {
      if (from === 0) await file.truncate(0)
      if (file.position !== from)
        throw new Fault('refused', message('incoming.position', { name, position: file.position, from }))
      await appendWhole(file, { name, from, bytesTotal, bytes })
      return file.position
    } finally {
      await file.close()
    }
  }

  async function take(piece: Piece): Promise<{ path: string | null }> {
    const { name, from, bytesTotal } = piece
    const path = join(folder, name)
    if (importing().includes(path)) throw new Fault('inUse', message('incoming.importing', { name }))
    await disk.makeFolder(folder)
    if (from === 0) await refuseWithoutRoom(world, folder, piece)
    if ((await append(piece)) < bytesTotal) return { path: null }
    await disk.rename(join(folder, partName(name)), path)
    await disk.syncFolder(folder)
    return { path }
  }

  /** Runs `act`, which must be the only action on this name. Throws `Fault` inUse while another one runs. */
  async function alone<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (busy.has(name)) throw new Fault('inUse', message('incoming.arriving', { name }))
    const acting = faultsTranslated(act)
    // `drop` only waits for the end. The failure is reported to the caller of `alone`.
    busy.set(name, Promise.allSettled([acting]))
    try {
      return await acting
    } finally {
      busy.delete(name)
    }
  }

  async function drop(name: string): Promise<void> {
    if (importing().includes(join(folder, name))) return
    for (const each of [partName(name), name])
      if (await disk.stat(join(folder, each))) await disk.remove(join(folder, each))
  }

  return {
    async take(piece) {
      refuseName(piece.name)
      return alone(piece.name, () => take(piece))
    },
    async drop(name) {
      refuseName(name)
      // A client that cancels a file calls this while its last piece is still arriving.
      for (let piece; (piece = busy.get(name));) await piece
      return alone(name, () => drop(name))
    },
  }
}

/**
 * Appends all of the piece or nothing: after a broken connection or on a full disk the file is cut back, so that the piece can be sent
 * again.
 */
async function appendWhole(file: WritableFile, { name, from, bytesTotal, bytes }: Piece): Promise<void> {
  try {
    for await (const chunk of bytes) {
      if (file.position + chunk.length > bytesTotal)
        throw new Fault('badInput', message('incoming.tooLong', { name, bytesTotal }))
      await file.append([chunk])
    }
    if (file.position === bytesTotal) await file.sync()
  } catch (error) {
    await file.truncate(from)
    throw error
  }
}

/** Throws `Fault` badInput for a name that cannot be used for a file in the folder. */
function refuseName(name: string): void {
  const problem = problemOfName(name)
  if (problem) throw new Fault('badInput', message('incoming.name', { problem }))
}

/** The name begins with a dot, which no accepted name does. */
function partName(name: string): string {
  return `.${name}.part`
}

/** Bytes of a name: the limit of most file systems, less the dot and `.part`, which are added. */
const nameBytesMax = 240

/** Refuses only names that would leave the folder, or fail on the disk of some operating system. */
function problemOfName(name: string): Message | undefined {
  if (name === '') return message('fileName.empty')
  if (Buffer.byteLength(name) > nameBytesMax) return message('incoming.name.long', { bytesMax: nameBytesMax })
  if (name.startsWith('.')) return message('incoming.name.dot')
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001f\u007f/\\<>:"|?*]/.test(name)) return message('incoming.name.character')
  return undefined
}

/** Refuses a file that is larger than the free space, before its first piece is sent. */
async function refuseWithoutRoom({ disk }: World, folder: string, { name, bytesTotal }: Piece): Promise<void> {
  const free = await disk.freeBytes(folder)
  if (bytesTotal > free)
    throw new Fault(
      'noSpace',
      message('incoming.noSpace', { name, size: bytesMessage(bytesTotal), free: bytesMessage(free) }),
    )
}

/** Removes, or moves to the quarantine, the files that no import waits for. */
async function clearLeftovers({ world, folder, importing, quarantineFolder }: IncomingParts): Promise<void> {
  const { disk } = world
  if (!(await disk.stat(folder))) return
  const wanted = importing()
  const left = (await disk.list(folder)).filter(
    ({ name, kind }) => kind === 'file' && !wanted.includes(join(folder, name)),
  )
  if (left.length === 0) return
  if (quarantineFolder === undefined) {
    for (const { name } of left) await disk.remove(join(folder, name))
    return
  }
  const why = message('quarantine.noImport')
  const aside = await quarantineFolderFor({ world, folder: quarantineFolder }, { job: null, why })
  for (const { name } of left) await moveAside({ world }, { folder, name }, aside)
}
