/** Progress of an upload: files that have ended, and the current file as far as the slowest replica has it. Pure. */
import type { StoreProgress } from './upload.ts'

/** Sums over the files that have ended. `notStored`: those that are not in every replica. */
export interface UploadDone {
  files: number
  bytes: number
  notStored: number
}

export class UploadProgress {
  #done: UploadDone
  #fileBytes = 0
  /** Bytes of the current file that are done, by replica. */
  readonly #current = new Map<string, number>()

  constructor(done: UploadDone) {
    this.#done = done
  }

  /** Begins the next file, which has `bytes`. */
  begin(bytes: number): void {
    this.#fileBytes = bytes
    this.#current.clear()
  }

  /** Records progress on the current file. It is written once and read back once in each replica; each pass counts as half of its
   *  bytes. */
  note({ replica, step, bytes, bytesTotal }: StoreProgress): void {
    this.#current.set(replica, (step === 'verifying' ? bytesTotal + bytes : bytes) / 2)
  }

  /** Records the end of the current file, which counts with all of its bytes. */
  end(isStored: boolean): void {
    const { files, bytes, notStored } = this.#done
    this.#done = { files: files + 1, bytes: bytes + this.#fileBytes, notStored: notStored + (isStored ? 0 : 1) }
    this.#current.clear()
  }

  /** Number of files that are not in every replica. */
  get notStored(): number {
    return this.#done.notStored
  }

  /** As a task reports it. */
  get columns() {
    const { files, bytes, notStored } = this.#done
    const ofCurrent = this.#current.size === 0 ? 0 : Math.floor(Math.min(this.#fileBytes, ...this.#current.values()))
    return { filesDone: files, bytesDone: bytes + ofCurrent, findings: notStored }
  }
}
