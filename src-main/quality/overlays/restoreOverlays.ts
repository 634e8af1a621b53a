/** Restores overlays from the quality files of jobs. A record waits where one of its jobs is not here yet. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import { recordReading } from '../records/recordReading.ts'
import { isOverlayUri, overlayIn, type NamedJob, type RecordedOverlay } from './overlayRecord.ts'
import { overlayStatements } from './overlays.sql.ts'

interface Parts {
  store: Store
  archive: Pick<Archive, 'file' | 'filesOfSha256'>
  files: Pick<QualityFiles, 'records' | 'unreadable' | 'names' | 'mergedNames'>
}

/** Returns the function that restores. */
export function overlayRestoring(parts: Parts): () => Promise<void> {
  const { store, archive } = parts
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

  return recordReading(parts, {
    ...{ kind: 'overlay', wanted: isOverlayUri, readsMerged: false },
    read(record) {
      const overlay = overlayIn(record)
      return overlay === undefined || restore(overlay)
    },
  })
}
