/** Types that the modules of storing share. */
import type { Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { ArchiveFaultCode } from '../files/archiveFault.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import type { ArchiveStatements, FileKind } from '../copies/archive.sql.ts'
import type { Replica } from '../replica/replica.ts'
import type { StoreProgress } from './upload.ts'

/** A file to be stored. */
export interface FileToStore {
  /** Path of the source file, which is not moved or removed. */
  path: string
  /** Name of the file in the archive. */
  name: string
  kind: FileKind
  jobId: number | null
  /** Length and SHA-256 of the source, if the caller has just read it and knows it unchanged since; otherwise the store reads the
   *  source for them. Replicas compare what they copy with this checksum, and what they read back. */
  content?: Pick<FileToAdopt, 'bytes' | 'sha256'> | undefined
}

/** A file whose bytes some replicas already hold. */
export interface FileToAdopt extends Omit<FileToStore, 'path' | 'content'> {
  bytes: number
  sha256: string
}

/** Reason why a replica has no good copy after a store. */
export interface UploadProblem {
  replica: string
  problem: Message
  code: ArchiveFaultCode
}

/** Result of a store. `stored`: every replica has the file and its checksum matched. A failed store may be repeated at any time. */
export type StoreOutcome = { state: 'stored' } | { state: 'failed'; problems: UploadProblem[] }

/** Options of a store as the modules of storing pass them on. */
export interface Watching {
  signal: AbortSignal
  /** Restores copies that were stored and are now missing, from the bytes of this store. */
  restoresMissing: boolean
  onProgress: (progress: StoreProgress) => void
}

export interface StoringParts {
  store: Store
  world: World
  statements: ArchiveStatements
  replicas: readonly Replica[]
  limits: ArchiveLimits
  onChange: () => void
}
