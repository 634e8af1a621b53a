/** Reads the catalogue in the form of the contract. Read-only. */
import { join } from 'node:path'
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import type { ReplicaSummary } from '../../contract/services/replicas.ts'
import type { ArchiveStatements, CopyRow, FileRow } from './archive.sql.ts'
import type { Disk } from '../../world/world.ts'
import { checksumFileName } from '../replica/checksumFile.ts'
import type { ObservedReplica } from '../replica/observed.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { messageFrom } from '../../contract/words/message.ts'

/** Creates the reader of the catalogue. A page of files takes two statements, whatever its length. */
export function catalogue(statements: ArchiveStatements) {
  return {
    file(name: string): ArchivedFile | undefined {
      return shown(statements, statements.file.all({ name }))[0]
    },
    shown: (files: FileRow[]): ArchivedFile[] => shown(statements, files),
    filesOfJob: (job: number): ArchivedFile[] => shown(statements, statements.filesOfJob.all({ job })),
    filesOfSha256: (sha256: string): ArchivedFile[] => shown(statements, statements.filesOfSha256.all({ sha256 })),
    filesNamed: (names: readonly string[]): ArchivedFile[] =>
      shown(statements, statements.filesNamed.all({ names: JSON.stringify(names) })),
    storedWithChecksum: (sha256: string): ArchivedFile | undefined =>
      shown(statements, statements.storedWithChecksum.all({ sha256 }))[0],
    async replica(place: ObservedReplica, disk: Disk): Promise<ReplicaSummary> {
      const reachable = (await place.problem()) === undefined
      const freeBytes = reachable ? await place.freeBytes() : undefined
      // A replica that never received a copy has no totals.
      const counts = statements.countCopies.get({ replica: place.name }) ?? noCopies
      // Counted in the same turn: between two, a file can be registered and stored.
      const filesTotal = statements.countFiles.get({})?.total ?? 0
      const endOfLast = (kind: string) =>
        timeOf(statements.lastCheck.get({ replica: place.name, kind })?.endedMs ?? null)
      const bytes = place.kind === 'files' ? counts.bytes : reachable ? await listBytes(disk, place.folder) : null
      return {
        replica: place.name,
        kind: place.kind,
        folder: place.folder,
        reachable,
        ...counts,
        bytes,
        freeBytes: freeBytes ?? null,
        lastMissingCheck: endOfLast('missing'),
        lastChecksumCheck: endOfLast('checksums'),
        ...activityOf(place),
        notStored: filesTotal - counts.files,
      }
    },
  }
}

/** Size of the checksum file in bytes: a replica of checksums holds no file contents. Null when it cannot be read. */
async function listBytes(disk: Disk, folder: string): Promise<number | null> {
  try {
    return (await disk.stat(join(folder, checksumFileName)))?.bytes ?? 0
  } catch (error) {
    return undefinedOnFault(error) ?? null
  }
}

const noCopies = { files: 0, bytes: 0, neverChecked: 0, missing: 0, corrupt: 0 }

function activityOf(replica: ObservedReplica): Pick<ReplicaSummary, 'operations' | 'lastFailure'> {
  const { operations, lastFailure } = replica.history()
  const done = Object.entries(operations).map(([operation, history]) => ({ operation, ...history }))
  if (!lastFailure) return { operations: done, lastFailure: null }
  const { atMs, ...failure } = lastFailure
  return { operations: done, lastFailure: { at: new Date(atMs).toISOString(), ...failure } }
}

function shown(statements: ArchiveStatements, files: FileRow[]): ArchivedFile[] {
  const copies = statements.copiesOf.all({ files: JSON.stringify(files.map(({ id }) => id)) })
  const byFile = Map.groupBy(copies, ({ fileId }) => fileId)
  return files.map((file) => ({
    name: file.name,
    kind: file.kind,
    job: file.jobId,
    bytes: file.bytes,
    sha256: file.sha256,
    stored: timeOf(file.storedMs),
    replicas: (byFile.get(file.id) ?? []).map(shownCopy),
  }))
}

function shownCopy(copy: CopyRow): ArchivedFile['replicas'][number] {
  return {
    replica: copy.replica,
    upload: copy.upload,
    problem: messageFrom(copy.problem),
    preservation: copy.preservation,
    checked: timeOf(copy.checkedMs),
    verified: timeOf(copy.verifiedMs),
  }
}
