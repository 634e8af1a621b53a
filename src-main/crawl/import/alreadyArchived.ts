/** Finds imported files that the archive already has with the same bytes, under any name. If the archived file belongs to no job,
 *  or to a deleted one, the import takes it over; if a job has it, or has a file that an import made from it, nothing is done. */
import type { Archive } from '../../archive/store/archive.ts'
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import { isUnfinishedCopy } from '../../contract/states/copyStates.ts'
import type { Store } from '../../storage/storage.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { importedNameStatements } from './importedNames.sql.ts'

/** An archived file with the same bytes: owned by a job, being uploaded, or free to be taken over. */
export type AlreadyArchived =
  | { kind: 'owned'; name: string; job: number }
  /** An upload of the file is in progress; it must not be stored twice at the same time. */
  | { kind: 'uploading'; name: string }
  | { kind: 'free'; name: string }

interface Parts {
  store: Store
  archive: Pick<Archive, 'file' | 'filesOfSha256' | 'assignJob'>
  /** Id of the import. */
  job: number
}

/** Looks up and takes over archived files, for one import. */
export function archivedFiles({ store, archive, job }: Parts) {
  const { exists } = jobStatements(store)
  const { holder, ofSha256 } = importedNameStatements(store)

  /** The job that has the file or is importing it; null if there is none. */
  function ownerOf({ name, job: owner }: ArchivedFile): number | null {
    // A running import has reserved the name, and becomes the owner once it has read the file.
    const importing = holder.get({ name })?.job
    if (importing !== undefined) return importing
    return owner !== null && exists.get({ job: owner }) ? owner : null
  }

  function seen(file: ArchivedFile): AlreadyArchived {
    const { name } = file
    const owner = ownerOf(file)
    if (owner !== null) return { kind: 'owned', name, job: owner }
    return { kind: isUploading(file) ? 'uploading' : 'free', name }
  }

  return {
    /** Finds a file with these bytes, preferring one of the wanted name, then one that a job has. Undefined if there is none. */
    find({ sha256, wanted }: { sha256: string; wanted: string }): AlreadyArchived | undefined {
      const files = archive.filesOfSha256(sha256)
      const named = files.filter(({ name }) => name === wanted)
      const all = (named.length > 0 ? named : files).map(seen)
      const owned = all.find(({ kind }) => kind === 'owned')
      if (owned) return owned
      const imported = ofSha256.get({ sha256 })
      return imported ? { kind: 'owned', ...imported } : all[0]
    },
    /** Assigns the archived file to the import; called inside the transaction that takes the file in. Returns its former job;
     *  undefined if the archive did not have the file. */
    takeOver(name: string): { job: number | null } | undefined {
      const file = archive.file(name)
      if (file === undefined) return undefined
      if (file.job !== null && exists.get({ job: file.job })) throw new Error(`${name} belongs to job ${file.job}`)
      archive.assignJob({ name, job })
      return { job: file.job }
    },
  }
}

/** Whether an upload of the file is in progress. Uploads interrupted by a kill were settled before imports resume. */
function isUploading({ replicas }: ArchivedFile): boolean {
  return replicas.some(isUnfinishedCopy)
}
