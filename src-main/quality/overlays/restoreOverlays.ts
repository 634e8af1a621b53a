/** Restores overlays from the quality files of jobs: of an archive that was imported, or of a database that was lost. A record can wait for a
 *  job that is imported later. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import { isOverlayUri, overlayIn, type NamedJob, type RecordedOverlay } from './overlayRecord.ts'
import { overlayStatements } from './overlays.sql.ts'

interface Parts {
  store: Store
  archive: Pick<Archive, 'file' | 'filesOfSha256'>
  files: Pick<QualityFiles, 'records' | 'unreadable'>
}

/** Returns a function that reads the quality files of every job that has ended since. What has been read is not read again after a kill. */
export function overlayRestoring({ store, archive, files }: Parts): () => Promise<void> {
  const sql = overlayStatements(store)

  /** The job that has the files here. Their bytes decide; a file that was rewritten on its way is known by its name. */
  function jobHere({ files: named }: NamedJob): number | undefined {
    for (const { sha256 } of named) {
      const job = archive.filesOfSha256(sha256).find((file) => file.job !== null)?.job
      if (job) return job
    }
    for (const { name } of named) {
      const job = archive.file(name)?.job
      if (job) return job
    }
    return undefined
  }

  /** Returns whether the jobs of the record are here. Where both came into one job, their captures are shown together anyway. */
  function restore({ patched, patch, ...overlay }: RecordedOverlay): boolean {
    const [patches, job] = [jobHere(patched), jobHere(patch)]
    if (patches === undefined || job === undefined) return false
    if (patches !== job) sql.put.run({ ...overlay, patches, job, recordedMs: overlay.changedMs })
    return true
  }

  return async () => {
    for (const { job, endedMs } of sql.unread.all({})) {
      let isWaiting = await files.unreadable(job)
      for await (const record of files.records(job, isOverlayUri)) {
        const overlay = overlayIn(record)
        if (overlay && !restore(overlay)) isWaiting = true
      }
      sql.noteRead.run({ job, endedMs, isWaiting: isWaiting ? 1 : 0 })
    }
  }
}
