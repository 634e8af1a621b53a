/** One upload as it is kept in memory: its files with their results, and its progress. */
import { basename } from 'node:path'
import type { UploadedFile, UploadSummary } from '../../contract/services/uploads.ts'
import type { FoundFile } from '../../files/work/findFiles.ts'
import type { StoreProgress } from './upload.ts'

/** A file of an upload. Its copies are in the catalogue. */
export type UploadFile = Omit<UploadedFile, 'replicas'>
/** How a file ended. `waiting`: the upload was stopped before the end of the file. */
export type FileEnd = Pick<UploadFile, 'state' | 'problem' | 'code'>

export interface UploadProgress {
  readonly files: readonly UploadFile[]
  isRunning: boolean
  /** Marks a file as the one that is being stored. */
  begin(file: UploadFile): void
  /** Records progress on the current file. Each file is written once and read back once; each pass counts as half of its bytes. */
  note(progress: StoreProgress): void
  /** Records how the current file ended. */
  end(file: UploadFile, end: FileEnd): void
  summary(): UploadSummary
}

/** `upload`: the number of the upload. `unread`: paths that could not be read. */
export function uploadProgress(
  upload: number,
  found: readonly FoundFile[],
  unread: UploadSummary['unread'],
): UploadProgress {
  const files = found.map(({ path, bytes }): UploadFile => ({
    path,
    name: basename(path),
    bytes,
    state: 'waiting',
    problem: null,
    code: null,
  }))
  const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0)
  /** Bytes of the current file that are done, by replica. */
  const current = new Map<string, number>()
  let [filesDone, bytesDone] = [0, 0]

  return {
    files,
    isRunning: true,
    begin: (file) => void (file.state = 'storing'),
    note({ replica, step, bytes, bytesTotal: ofFile }) {
      current.set(replica, (step === 'verifying' ? ofFile + bytes : bytes) / 2)
    },
    end(file, end) {
      Object.assign(file, end)
      current.clear()
      if (end.state === 'waiting') return
      filesDone += 1
      bytesDone += file.bytes
    },
    summary() {
      // The slowest replica decides how much of the current file is done.
      const ofCurrent = current.size === 0 ? 0 : Math.floor(Math.min(...current.values()))
      return {
        upload,
        filesDone,
        filesTotal: files.length,
        bytesDone: Math.min(bytesTotal, bytesDone + ofCurrent),
        bytesTotal,
        isRunning: this.isRunning,
        unread,
      }
    },
  }
}
