/** Lists the files of an import: those that were given, and those in the folders that were given. Each becomes a row of the
 *  database before the first one is imported, so that a kill loses none. After a kill they are listed again; rows that exist
 *  stay unchanged. */
import { textOf } from '../../contract/words/render.ts'
import { findFiles, isArchiveFile, type FoundFile, type RecognisedFile } from '../../files/work/findFiles.ts'
import { faultCodeOf } from '../../archive/files/archiveFault.ts'
import { Fault, type FaultCode } from '../../contract/calls/faults.ts'
import { recognise, type Recognised } from '../../formats/recognise.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Refused } from './spaceNeeded.ts'

/** A file that is to be imported. */
export interface ListedFile {
  path: string
  /** The kind of file, in words. */
  kind: string
  bytes: number
  /** Why it cannot be imported, if that is already known; otherwise null. */
  refused: Refused | null
}

interface ListingParts {
  world: World
  signal: AbortSignal
}

/** Lists the files of one given path. A path that cannot be read yields a refused entry. */
export async function listed({ world, signal }: ListingParts, path: string): Promise<ListedFile[]> {
  try {
    const { files, unread } = await findFiles(world.disk, [path], { signal, wants: isWanted })
    const seen: ListedFile[] = []
    for (const file of files) seen.push(await listedFile(world, file))
    const none =
      files.length + unread.length === 0 ? [refused(path, 'no archive file is in this folder', 'notFound')] : []
    return [...seen, ...unread.map((place) => refused(place.path, textOf(place.problem), 'unreachable')), ...none]
  } catch (error) {
    if (error instanceof Fault && error.code === 'notFound')
      return [refused(path, 'there is no such file or folder', 'notFound')]
    if (error instanceof Fault) return [refused(path, error.message, error.code)]
    if (error instanceof DiskFault) return [refused(path, error.message, faultCodeOf[error.code])]
    throw error
  }
}

function isWanted(recognised: RecognisedFile, name: string): boolean {
  return recognised.form === 'har' || isArchiveFile(recognised, name)
}

async function listedFile(world: World, { path, bytes }: FoundFile): Promise<ListedFile> {
  try {
    const { words } = await recognisedFile(world, path)
    return { path, bytes, kind: words, refused: null }
  } catch (error) {
    if (error instanceof DiskFault) return { ...refused(path, error.message, faultCodeOf[error.code]), bytes }
    throw error
  }
}

async function recognisedFile(world: World, path: string): Promise<Recognised> {
  const file = await world.disk.openRead(path)
  try {
    return await recognise(file)
  } finally {
    await file.close()
  }
}

function refused(path: string, problem: string, code: FaultCode): ListedFile {
  return { path, bytes: 0, kind: 'unknown', refused: { kind: 'refused', problem, code } }
}
