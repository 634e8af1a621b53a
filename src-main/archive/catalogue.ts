/** The catalogue as the contract shows it. It only reads. */
import type { ArchivedFile, ReplicaSummary } from '../contract/contract.ts'
import type { ArchiveStatements, CopyRow, FileRow } from './archive.sql.ts'
import type { ReplicaFolder } from './replicaFolder.ts'

export interface FilesQuery {
  /** Part of the name, in any case of letters. */
  text?: string | undefined
  job?: number | undefined
  offset: number
  limit: number
}

export function catalogue(statements: ArchiveStatements) {
  return {
    file(name: string): ArchivedFile | undefined {
      return shown(statements, statements.file.all({ name }))[0]
    },
    files({ text = '', job, offset, limit }: FilesQuery): { rows: ArchivedFile[]; total: number } {
      const chosen = { text, job: job ?? null }
      const rows = shown(statements, statements.files.all({ ...chosen, limit, offset }))
      return { rows, total: statements.countFiles.get(chosen)?.total ?? 0 }
    },
    filesOfJob: (job: number): ArchivedFile[] => shown(statements, statements.filesOfJob.all({ job })),
    async replica(place: ReplicaFolder): Promise<ReplicaSummary> {
      const reachable = (await place.problem()) === undefined
      const freeBytes = reachable ? await place.freeBytes() : undefined
      const counts = statements.countCopies.get({ replica: place.name })
      if (!counts) throw new Error('a count gave no row')
      const endOfLast = (kind: string) =>
        timeOf(statements.lastCheck.get({ replica: place.name, kind })?.endedMs ?? null)
      return {
        replica: place.name,
        folder: place.folder,
        reachable,
        ...counts,
        freeBytes: freeBytes ?? null,
        lastMissingCheck: endOfLast('missing'),
        lastChecksumCheck: endOfLast('checksums'),
        notStored: (statements.countFiles.get({ text: '', job: null })?.total ?? 0) - counts.files,
      }
    },
  }
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
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
    problem: copy.problem,
    preservation: copy.preservation,
    checked: timeOf(copy.checkedMs),
    verified: timeOf(copy.verifiedMs),
  }
}
