/** Progress of one recovery: what was found, what is done, and what could not be recovered. */
import type { RecoverySummary } from '../../contract/services/recovery.ts'
import type { Message } from '../../contract/words/message.ts'

/** The part of the summary that a recovery itself knows. */
export type Progress = Omit<RecoverySummary, 'state' | 'started' | 'ended'>

/** Returns the progress of a recovery that has just begun. */
export function nothingRecovered(): Progress {
  return {
    ...{ filesTotal: 0, filesDone: 0, bytesTotal: 0, bytesDone: 0, registered: 0, jobs: [], importJob: null },
    ...{ cleared: 0, problems: [] },
  }
}

/** Counts what a recovery does. `onProgress` is called after each file and each job, with the same object every time. */
export class RecoveryProgress {
  readonly now = nothingRecovered()
  readonly #onProgress: (progress: Progress) => void

  constructor(onProgress: (progress: Progress) => void) {
    this.#onProgress = onProgress
  }

  /** Adds a file to the totals. */
  found(bytes: number): void {
    this.now.filesTotal += 1
    this.now.bytesTotal += bytes
  }

  /** A file of the totals is done, whether it could be recovered or not. */
  done(bytes: number): void {
    this.now.filesDone += 1
    this.now.bytesDone += bytes
    this.report()
  }

  registered(): void {
    this.now.registered += 1
  }

  cleared(): void {
    this.now.cleared += 1
  }

  jobRestored(job: number): void {
    this.now.jobs.push(job)
  }

  /** Records why something could not be recovered. `name` is that of a file or of a replica. */
  problem(name: string, problem: Message): void {
    this.now.problems.push({ name, message: problem })
  }

  report(): void {
    this.#onProgress(this.now)
  }
}
