/** Confirms what is wrong with a copy before it is set aside. */
import { message, type Message } from '../../contract/words/message.ts'
import { ArchiveFault, isArchiveOrDiskFault } from '../files/archiveFault.ts'
import type { Added, Checksum, Replica, Wrong } from './replica.ts'

/** Creates a function that throws `ArchiveFault` unless a check made now confirms what is wrong with the copy. */
export function confirmer({
  name,
  problem,
  checksum,
}: Pick<Replica, 'name' | 'problem' | 'checksum'>): (file: string, wrong: Wrong) => Promise<void> {
  return async (file, wrong) => {
    const copy = { name: file, replica: name }
    if (wrong !== 'unreadable') {
      const found = await checksum(file)
      if (found?.sha256 !== wrong.sha256) throw new ArchiveFault('refused', notThat(copy, found, wrong.sha256))
      return
    }
    const found = await checksum(file).catch(unreadableOnFault)
    if (found !== 'unreadable') throw new ArchiveFault('refused', notUnreadable(copy, found))
    // When the replica is unavailable nothing can be read, which does not mean that the file is damaged.
    const unusable = await problem()
    if (unusable !== undefined) throw new ArchiveFault('unreachable', unusable)
  }
}

/** Maps a disk or archive fault to `unreadable`: the file exists and cannot be read. Rethrows other errors. */
export function unreadableOnFault(error: unknown): 'unreadable' {
  if (!isArchiveOrDiskFault(error)) throw error
  return 'unreadable'
}

interface CopyName {
  name: string
  replica: string
}

/** Why a copy is not set aside as unreadable: it can be read, or is missing. */
export function notUnreadable(copy: CopyName, found: Checksum | undefined): Message {
  return found ? message('replica.readable', { ...copy, found: found.sha256 }) : message('replica.gone', { ...copy })
}

/** Why a copy is not set aside as having the checksum `expected`. */
export function notThat(copy: CopyName, found: Checksum | undefined, expected: string): Message {
  if (!found) return message('replica.gone', { ...copy })
  return message('replica.notThat', { ...copy, found: found.sha256, expected })
}

/** Outcome of an `add` that wrote nothing. */
export function refused(code: ArchiveFault['code'], reason: Message): Added {
  return { kind: 'refused', code, message: reason }
}
