/** Lists the files of an import: those that were given, and those in the folders that were given. Each becomes a row of the
 *  database before the first one is imported, so that a kill loses none. After a kill they are listed again; rows that exist
 *  stay unchanged. */
import { message, type Message } from '../../contract/words/message.ts'
import { findFiles, isArchiveFile, type FoundFile, type RecognisedFile } from '../../files/work/findFiles.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { formatMessage, recognise } from '../../formats/recognise.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { rejection, rejectionBy, type Rejection } from './rejection.ts'

/** A file that is to be imported. */
export interface ListedFile {
  path: string
  kind: Message
  bytes: number
  /** Why it cannot be imported, if that is already known; otherwise null. */
  rejected: Rejection | null
}

interface ListingParts {
  world: World
  signal: AbortSignal
}

/** Lists the files of one given path. A path that cannot be read yields a rejected entry. */
export async function listed({ world, signal }: ListingParts, path: string): Promise<ListedFile[]> {
  try {
    const { files, unread } = await findFiles(world.disk, [path], { signal, wants: isWanted })
    const seen: ListedFile[] = []
    for (const file of files) seen.push(await listedFile(world, file))
    const none =
      files.length + unread.length > 0
        ? []
        : [rejected(path, rejection(message('import.rejected.emptyFolder'), 'notFound'))]
    const unreadable = unread.map((place) => rejected(place.path, rejection(place.problem, 'unreachable')))
    return [...seen, ...unreadable, ...none]
  } catch (error) {
    if (error instanceof Fault && error.code === 'notFound')
      return [rejected(path, rejection(message('import.rejected.absent'), 'notFound'))]
    if (error instanceof Fault || error instanceof DiskFault) return [rejected(path, rejectionBy(error))]
    throw error
  }
}

function isWanted(recognised: RecognisedFile, name: string): boolean {
  return recognised.form === 'har' || isArchiveFile(recognised, name)
}

async function listedFile(world: World, { path, bytes }: FoundFile): Promise<ListedFile> {
  try {
    return { path, bytes, kind: await formatOf(world, path), rejected: null }
  } catch (error) {
    if (error instanceof DiskFault) return { ...rejected(path, rejectionBy(error)), bytes }
    throw error
  }
}

async function formatOf(world: World, path: string): Promise<Message> {
  const file = await world.disk.openRead(path)
  try {
    return formatMessage(await recognise(file))
  } finally {
    await file.close()
  }
}

function rejected(path: string, why: Rejection): ListedFile {
  return { path, bytes: 0, kind: message('format.unread'), rejected: why }
}
