/** One replica: a place that keeps what it was given, under names. Its comments are promises; `testing/replicaPromises.ts` says them as
 *  rows, and every kind passes them. What should lie in a replica is the catalogue's business, not the replica's; so are
 *  states, votes and repair. Every method rejects with `DiskFault` when the world refuses and with `ArchiveFault` when
 *  the replica does; anything else thrown is a bug. */
import type { ReadableFile } from '../../world/world.ts'
import type { ArchiveFaultCode } from '../files/archiveFault.ts'

/** `files`: holds the bytes. `checksums`: holds only which checksum each name had, and so proves which of the others is right. */
export type ReplicaKind = 'files' | 'checksums'

export interface ReplicaPlace {
  name: string
  /** Where a person finds it. */
  folder: string
  /** `files` when absent. */
  kind?: ReplicaKind
  /** Permissions of the folder, where Loupe makes it; absent: for this account alone. */
  folderMode?: number
}

export interface Replica {
  readonly name: string
  readonly kind: ReplicaKind
  readonly folder: string
  /** Where a thread that opens the file by itself finds it; undefined when it has no path, as in a replica of checksums. */
  pathOf(file: string): string | undefined
  /** Why the replica cannot be used now, as a sentence; undefined when it can. Never rejects. Prepares it at its first use. */
  problem(): Promise<string | undefined>
  /** Bytes that may still be written; undefined when unknown. Never rejects. */
  freeBytes(): Promise<number | undefined>
  /** What is in it, some at a time and in no order, whether the catalogue knows it or not; no folders, and no names that
   *  begin with a dot, which no file of the archive has. */
  list(): AsyncIterable<Held[]>
  /** Undefined when nothing lies under the name. */
  stat(file: string): Promise<Held | undefined>
  /** Writes the file: under a temporary name in the same folder, synced, renamed, the folder synced; then read again from the
   *  replica and compared. Nothing that is there is ever overwritten or removed, whatever becomes of the writing, and until
   *  the rename nothing lies under the name. A replica of checksums computes the checksum itself and writes down the entry. */
  add(file: FileToAdd, options?: AddOptions): Promise<Added>
  /** What lies under the name now, read from beginning to end; undefined when nothing does. `bytes` is null where a replica
   *  of checksums does not know. With `salt` it is the HMAC-SHA-256 of the bytes under that key, which only who has the
   *  bytes can tell: a replica of checksums refuses it. */
  checksum(file: string, options?: ChecksumOptions): Promise<Checksum | undefined>
  /** Returns when the file under the name is on the device, with its name. */
  secure(file: string): Promise<void>
  /** A replica of checksums refuses it. The caller closes the file. */
  open(file: string): Promise<ReadableFile>
  /** Takes what lies under the name away from it without destroying it: files go to the folder `attic` in the replica,
   *  entries to a second file, a folder or a link in the place of a file as it is. Refused, and nothing changed, unless it
   *  is as was said, looked at now. Returns where it is kept. */
  setAside(file: string, wrong: Wrong): Promise<string>
  /** What was set aside under the name, each read again, with the place that `setAside` gave. */
  kept(file: string): Promise<Kept[]>
  /** The files whose writing was interrupted, as far as something of it is left. Never rejects. */
  leftovers(): Promise<string[]>
  /** Removes what an interrupted writing left. Never rejects: a replica that cannot be used keeps it. */
  removeLeftover(file: string): Promise<void>
}

export interface Held {
  name: string
  /** Null where a replica of checksums does not know. */
  bytes: number | null
}

/** What is to be set aside: what has this checksum, or what is there and cannot be read. */
export type Wrong = { sha256: string } | 'unreadable'

/** `sha256` is null where it cannot be read, or could not when it was set aside. */
export interface Kept extends Omit<Checksum, 'sha256'> {
  sha256: string | null
  where: string
}

export interface FileToAdd {
  name: string
  /** The path of the bytes. They are hashed on their way, so that a file which changes meanwhile never gets the name. */
  source: string
  sha256: string
  bytes: number
}

export interface AddOptions extends Reading {
  /** Called once the bytes are on the device under their name, before they are read again. */
  onWritten?: () => void
  /** Bytes so far, of the writing and then of the reading again, now and then. */
  onProgress?: (step: 'copying' | 'verifying', bytes: number) => void
}

export interface ChecksumOptions extends Reading {
  salt?: string
  onProgress?: (bytes: number) => void
}

interface Reading {
  signal?: AbortSignal
  /** 0, as when absent: as fast as it goes. */
  bytesPerSecondMax?: number
}

export interface Checksum {
  /** Hex. */
  sha256: string
  bytes: number | null
}

/** `added`: written, read again, and right. `differs`: written, but what was read again is something else; undefined when
 *  nothing is there. `occupied`: something lies under the name already; it was left as it is. A replica of checksums gives
 *  `added` for an entry that it has already, since it is the same. `refused`: nothing was written. */
export type Added =
  | { kind: 'added' }
  | { kind: 'differs'; found: Checksum | undefined }
  | { kind: 'occupied'; text: string }
  | { kind: 'refused'; code: ArchiveFaultCode; text: string }

/** What the catalogue expects to be in a replica: an empty mount point has none of it. */
export interface Expectation {
  any(): boolean
  holds(file: string): boolean
}

/** When a replica takes no more. A full disk stops more than Loupe. */
export interface SpaceRules {
  /** Bytes that must be free after a file was written. */
  freeBytesAfterMin: number
  /** Bytes that must be free for anything to be accepted at all. */
  freeBytesToAcceptMin: number
}
