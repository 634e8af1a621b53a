/** What the parts of storing share. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { ArchiveFaultCode } from '../files/archiveFault.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import type { ArchiveStatements, FileKind } from '../copies/archive.sql.ts'
import type { Replica } from '../replica/replica.ts'
import type { StoreProgress } from './upload.ts'

export interface FileToStore {
  /** Where the bytes are now; they stay there. */
  path: string
  /** The name it is to have in the archive. */
  name: string
  kind: FileKind
  jobId: number | null
}

/** A file whose bytes the replicas hold already. */
export interface FileToAdopt extends Omit<FileToStore, 'path'> {
  bytes: number
  sha256: string
}

export interface UploadProblem {
  replica: string
  problem: string
  code: ArchiveFaultCode
}

/** `stored`: every replica has it and its checksum agreed. A failed one may be stored again at any time. */
export type StoreOutcome = { state: 'stored' } | { state: 'failed'; problems: UploadProblem[] }

export interface Watching {
  signal: AbortSignal
  /** Restores copies that were stored once and are missing now from these bytes. */
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
