/** Interface of a replica, which stores files under names. Its comments are a contract that every kind of replica fulfils;
 *  `testing/replicaPromises.ts` tests it. Which files should be in a replica, their states, votes and repair are not the replica's
 *  concern. Every method rejects with `DiskFault` when the disk fails and with `ArchiveFault` when the replica refuses; any other
 *  error is a bug. */
import type { Message } from '../../contract/words/message.ts'
import type { ChosenModule } from '../../modules/userModule.ts'
import type { ReadableFile } from '../../world/world.ts'
import type { ArchiveFaultCode } from '../files/archiveFault.ts'

/** `files`: holds the bytes. `checksums`: holds only the checksum of each name, as evidence about copies elsewhere. */
export type ReplicaKind = 'files' | 'checksums'

/** A replica as configured in the settings. */
export interface ReplicaPlace {
  name: string
  /** Path of the folder; of a replica in a store of the user, a name of it for people, which is no absolute path. */
  folder: string
  /** The module that keeps the files instead of a folder (`userStore.ts`). */
  module?: ChosenModule
  /** Kind of the replica; `files` when absent. */
  kind?: ReplicaKind
  /** Permissions of the folder when Loupe creates it; by default, access for this account only. */
  folderMode?: number
}

export interface Replica {
  readonly name: string
  readonly kind: ReplicaKind
  readonly folder: string
  /** Path of a file, for threads that open it themselves; undefined when it has none, as in a replica of checksums. */
  pathOf(file: string): string | undefined
  /** Why the replica cannot be used now, in complete sentences; undefined when it can. Never rejects. The first call prepares the replica. */
  problem(): Promise<Message | undefined>
  /** Bytes that may still be written; undefined when unknown. Never rejects. */
  freeBytes(): Promise<number | undefined>
  /** Lists the files in pages, in no particular order, whether or not the catalogue knows them. Omits folders and names that begin
   *  with a dot, which no file of the archive has. */
  list(): AsyncIterable<Held[]>
  /** Size of a file; undefined when there is no file of this name. */
  stat(file: string): Promise<Held | undefined>
  /** Writes the file under a temporary name in the same folder, syncs and renames it, syncs the folder, then reads it back and
   *  compares it. Existing files are never overwritten or removed, whatever the outcome, and the name is not taken before the rename.
   *  A replica of checksums computes the checksum itself and writes the entry. */
  add(file: FileToAdd, options?: AddOptions): Promise<Added>
  /** Checksum of the file under the name, read completely; undefined when there is none. `bytes` is null where a replica of checksums
   *  does not know the length. With `salt` the result is the HMAC-SHA-256 of the bytes with the salt as key, which can only be
   *  computed from the bytes; a replica of checksums refuses it. */
  checksum(file: string, options?: ChecksumOptions): Promise<Checksum | undefined>
  /** Syncs the file and its name to the device. */
  secure(file: string): Promise<void>
  /** Opens the file; a replica of checksums refuses. The caller closes the file. */
  open(file: string): Promise<ReadableFile>
  /** Frees the name without destroying its content: files move to the folder `attic` in the replica, entries to a second file; a
   *  folder or link in the place of a file is moved as it is. Refuses, and changes nothing, unless a check made now confirms `wrong`.
   *  Returns where the content is kept. */
  setAside(file: string, wrong: Wrong): Promise<string>
  /** Everything that was set aside under the name, each read again, with the location that `setAside` returned. */
  kept(file: string): Promise<Kept[]>
  /** Names of files whose write was interrupted and left temporary data. Never rejects. */
  leftovers(): Promise<string[]>
  /** Removes the temporary data of an interrupted write. Never rejects: an unusable replica keeps it. */
  removeLeftover(file: string): Promise<void>
}

/** A file in a replica. */
export interface Held {
  name: string
  /** Length of the file; null where a replica of checksums does not know it. */
  bytes: number | null
}

/** What to set aside: content with this checksum, or content that cannot be read. */
export type Wrong = { sha256: string } | 'unreadable'

/** Content that was set aside. `sha256` is null where it cannot be read, or could not when it was set aside. */
export interface Kept extends Omit<Checksum, 'sha256'> {
  sha256: string | null
  where: string
}

/** A file to be written to a replica. */
export interface FileToAdd {
  name: string
  /** Path of the source. The bytes are hashed while they are copied, so a file that changes meanwhile is never stored under the name. */
  source: string
  sha256: string
  bytes: number
}

export interface AddOptions extends Reading {
  /** Called once the bytes are on the device under their name, before they are read back. */
  onWritten?: () => void
  /** Called from time to time with the bytes written, then with the bytes read back. */
  onProgress?: (step: 'copying' | 'verifying', bytes: number) => void
}

export interface ChecksumOptions extends Reading {
  salt?: string
  onProgress?: (bytes: number) => void
}

interface Reading {
  signal?: AbortSignal
  /** Maximum rate in bytes per second; 0 or absent: unlimited. */
  bytesPerSecondMax?: number
}

/** Checksum and length of a file's content. */
export interface Checksum {
  /** SHA-256 in hex. */
  sha256: string
  bytes: number | null
}

/** Outcome of `add`. `added`: written, read back and equal. `differs`: written, but the content read back is different; `found` is
 *  undefined when there is none. `occupied`: the name is already taken and was left unchanged. `refused`: nothing was written. A
 *  replica of checksums returns `added` for an identical existing entry. */
export type Added =
  | { kind: 'added' }
  | { kind: 'differs'; found: Checksum | undefined }
  | { kind: 'occupied'; message: Message }
  | { kind: 'refused'; code: ArchiveFaultCode; message: Message }

/** What the catalogue expects in a replica. An empty mount point holds none of it. */
export interface Expectation {
  any(): boolean
  holds(file: string): boolean
}

/** Limits below which a replica accepts no more files: a full disk affects other programs too. */
export interface SpaceRules {
  /** Bytes that must be free after a file was written. */
  freeBytesAfterMin: number
  /** Bytes that must be free for anything to be accepted at all. */
  freeBytesToAcceptMin: number
}

/** Whether the files of a replica have paths: not those of a store of the user, or of checksums. */
export function hasPaths(replica: Pick<Replica, 'pathOf'>): boolean {
  return replica.pathOf('file') !== undefined
}
