/** Progress of an export: bytes read of all that must be read. It is reported periodically, and at every change of the step. */
import type { Clock } from '../../world/world.ts'
import type { ExportReport } from './export.ts'
import { reportEveryMs } from './limits.ts'

/** Collects and reports progress. */
export class Progress {
  /** Bytes of all readings, finished and to come. */
  bytesTotal = 0
  #now: ExportReport = { step: 'writing', records: 0, bytes: 0, filesDone: 0, bytesDone: 0, bytesTotal: 0 }
  /** Bytes of files that were read to the end. */
  #readBytes = 0
  #reportedAtMs = -Infinity
  #clock: Clock
  #emit: (report: ExportReport) => void

  constructor({ clock, emit }: { clock: Clock; emit: (report: ExportReport) => void }) {
    this.#clock = clock
    this.#emit = emit
  }

  /** Records the progress in the file that is being read. */
  reading(bytes: number): void {
    this.#now.bytesDone = this.#readBytes + bytes
    this.#reportWhenDue()
  }

  /** Records that a file of this length was read to its end. */
  read(bytes: number): void {
    this.#readBytes += bytes
    this.reading(0)
  }

  /** Records what has been written so far. */
  wrote({ records, bytes }: { records: number; bytes: number }): void {
    this.#now.records = records
    this.#now.bytes = bytes
    this.#reportWhenDue()
  }

  /** Records that all of a source file has been written. */
  fileDone(): void {
    this.#now.filesDone += 1
    this.#reportWhenDue()
  }

  /** Records that the new file is being read again. */
  verifying(): void {
    this.#now.step = 'verifying'
    this.now()
  }

  /** Reports at once. */
  now(): void {
    this.#reportedAtMs = this.#clock.elapsed()
    // An estimate may have been too low: progress never exceeds 100 %.
    const bytesTotal = Math.max(this.bytesTotal, this.#now.bytesDone)
    this.#emit({ ...this.#now, bytesTotal })
  }

  #reportWhenDue(): void {
    if (this.#clock.elapsed() - this.#reportedAtMs >= reportEveryMs) this.now()
  }
}
