/** Checks whether a replica's folder can be used and is the right one.
 *
 *  An unmounted drive leaves an empty folder as its mount point. If that were taken for the replica, every file in it would count as
 *  lost and new files would be written to the wrong disk. Each replica's folder therefore holds a mark file with the replica's name. A
 *  folder without a mark is accepted only when no files are expected in it, or when an expected file is there. */
import { join } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import { ownFolderMode } from '../../world/permissions.ts'
import type { Disk } from '../../world/world.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import { markName } from '../files/names.ts'
import type { Expectation, ReplicaPlace } from './replica.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

export interface MarkedPlace {
  disk: Disk
  place: ReplicaPlace
  expected: Expectation
  /** Some of the names in the folder, to recognise it by. */
  someNames(): Promise<string[]>
}

/** Creates a function that checks the folder and returns why it cannot be used; undefined when it can. The first check creates the
 *  folder and its mark. */
export function marked(parts: MarkedPlace): () => Promise<Message | undefined> {
  return sharedCheck(parts.place.name, () => folderProblem(parts))
}

/** Creates a check of a replica that concurrent callers share, because the first check may write the mark. Faults become the problem. */
export function sharedCheck(
  replica: string,
  check: () => Promise<Message | undefined>,
): () => Promise<Message | undefined> {
  let looking: Promise<Message | undefined> | undefined
  async function problem(): Promise<Message | undefined> {
    try {
      return await check()
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      return message('replica.failed', { replica, reason: reasonIn(error) })
    }
  }
  return () => {
    looking ??= problem().finally(() => (looking = undefined))
    return looking
  }
}

async function folderProblem({ disk, place, expected, someNames }: MarkedPlace): Promise<Message | undefined> {
  const { name, folder, folderMode = ownFolderMode } = place
  const entry = await disk.stat(folder)
  if (!entry && expected.any()) return message('replica.folderMissing', { folder, replica: name })
  if (!entry) await disk.makeFolder(folder, folderMode)
  else if (entry.kind !== 'folder') return message('replica.folderIsFile', { folder, replica: name })
  return markProblemOf({
    ...{ folder, name, expected, someNames },
    markOf: () => markIn(disk, folder),
    writeMark: (text) => disk.write(join(folder, markName), Buffer.from(text)),
  })
}

/** A place with a mark, and how it is read and written. */
export interface Marked {
  /** Where it is, for people. */
  folder: string
  name: string
  expected: Expectation
  someNames(): Promise<string[]>
  markOf(): Promise<string | undefined>
  writeMark(text: string): Promise<void>
}

/** Why the mark says that this is not the place of the replica; undefined when it is. Writes the mark of a new place. */
export async function markProblemOf(place: Marked): Promise<Message | undefined> {
  const { folder, name, expected } = place
  const mark = await place.markOf()
  if (mark === name) return undefined
  if (mark !== undefined) return message('replica.otherMark', { folder, found: mark, replica: name })
  if (expected.any() && !(await place.someNames()).some((file) => expected.holds(file)))
    return message('replica.unmarked', { folder, replica: name, mark: markName })
  await place.writeMark(`${name}\n`)
  return undefined
}

async function markIn(disk: Disk, folder: string): Promise<string | undefined> {
  const bytes = await disk.read(join(folder, markName), 1_000).catch(undefinedWhenAbsent)
  return bytes && Buffer.from(bytes).toString('utf8').trim()
}
