/** A file that is brought in and whose very bytes the archive has already, under whatever name. Where it belongs to no job, or
 *  to one that was deleted, the import takes it over; where a job has it, or what an import made of it, nothing is to be done. */
import type { Archive } from '../../archive/store/archive.ts'
import type { ArchivedFile } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { importStatements } from './imports.sql.ts'

export type AlreadyArchived =
  | { kind: 'owned'; name: string; job: number }
  /** An upload is storing it just now: two must not store the same file. */
  | { kind: 'onItsWay'; name: string }
  | { kind: 'free'; name: string }

interface Parts {
  store: Store
  archive: Pick<Archive, 'file' | 'filesOfSha256' | 'assignJob'>
  /** Of the import. */
  job: number
}

export function archivedFiles({ store, archive, job }: Parts) {
  const { exists } = jobStatements(store)
  const { holder, ofSha256 } = importStatements(store)

  /** The job that has the file or is taking it in; null: nobody has it. */
  function ownerOf({ name, job: owner }: ArchivedFile): number | null {
    // An import under way has given it its name, and becomes its owner when it has read it.
    const importing = holder.get({ name })?.job
    if (importing !== undefined) return importing
    return owner !== null && exists.get({ job: owner }) ? owner : null
  }

  function seen(file: ArchivedFile): AlreadyArchived {
    const { name } = file
    const owner = ownerOf(file)
    if (owner !== null) return { kind: 'owned', name, job: owner }
    return { kind: isOnItsWay(file) ? 'onItsWay' : 'free', name }
  }

  return {
    /** Of several with these bytes the one of the wanted name, else one that a job has. Undefined: the archive has none. */
    find({ sha256, wanted }: { sha256: string; wanted: string }): AlreadyArchived | undefined {
      const files = archive.filesOfSha256(sha256)
      const named = files.filter(({ name }) => name === wanted)
      const all = (named.length > 0 ? named : files).map(seen)
      const owned = all.find(({ kind }) => kind === 'owned')
      if (owned) return owned
      const imported = ofSha256.get({ sha256 })
      return imported ? { kind: 'owned', ...imported } : all[0]
    },
    /** Inside the transaction that takes the file in. What the file was before, where it was archived already. */
    takeOver(name: string): { job: number | null } | undefined {
      const file = archive.file(name)
      if (file === undefined) return undefined
      if (file.job !== null && exists.get({ job: file.job })) throw new Error(`${name} belongs to job ${file.job}`)
      archive.assignJob({ name, job })
      return { job: file.job }
    },
  }
}

/** What a kill interrupted was settled before imports go on. */
function isOnItsWay({ replicas }: ArchivedFile): boolean {
  return replicas.some(({ upload }) => upload !== 'UPLOAD_COMPLETED' && upload !== 'UPLOAD_FAILED')
}

/** Which copies of an archived file are bad, and how the file at hand helps; empty when none is. */
export function badCopiesText(file: Pick<ArchivedFile, 'replicas'> | undefined): string {
  const bad = (file?.replicas ?? []).flatMap(({ replica, preservation }) => {
    if (preservation === 'MISSING') return [`missing in ${replica}`]
    return preservation === 'CORRUPT' ? [`damaged in ${replica}`] : []
  })
  if (bad.length === 0) return ''
  return ` Its copy is ${bad.join(', ')}: upload the file under that name (loupe upload), and it is brought back where it is missing.`
}
