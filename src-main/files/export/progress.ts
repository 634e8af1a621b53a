/** How far an export is: bytes read of all that it has to read. Told now and then, and at every change of its step. */
import type { Clock } from '../../world/world.ts'
import type { ExportReport } from './export.ts'
import { reportEveryMs } from './limits.ts'

export class Progress {
  /** Of the readings that have begun and of those to come. */
  bytesTotal = 0
  #now: ExportReport = { step: 'writing', records: 0, bytes: 0, filesDone: 0, bytesDone: 0, bytesTotal: 0 }
  /** Bytes of what was read to its end. */
  #readBytes = 0
  #toldAtMs = -Infinity
  #clock: Clock
  #emit: (report: ExportReport) => void

  constructor({ clock, emit }: { clock: Clock; emit: (report: ExportReport) => void }) {
    this.#clock = clock
    this.#emit = emit
  }

  /** So far in the file that is being read. */
  reading(bytes: number): void {
    this.#now.bytesDone = this.#readBytes + bytes
    this.#perhaps()
  }

  /** A file of this length was read to its end. */
  read(bytes: number): void {
    this.#readBytes += bytes
    this.reading(0)
  }

  wrote({ records, bytes }: { records: number; bytes: number }): void {
    this.#now.records = records
    this.#now.bytes = bytes
    this.#perhaps()
  }

  fileDone(): void {
    this.#now.filesDone += 1
    this.#perhaps()
  }

  /** The new file is read again. */
  verifying(): void {
    this.#now.step = 'verifying'
    this.now()
  }

  now(): void {
    this.#toldAtMs = this.#clock.elapsed()
    // An estimate may have been too low: progress never exceeds 100 %.
    const bytesTotal = Math.max(this.bytesTotal, this.#now.bytesDone)
    this.#emit({ ...this.#now, bytesTotal })
  }

  #perhaps(): void {
    if (this.#clock.elapsed() - this.#toldAtMs >= reportEveryMs) this.now()
  }
}
