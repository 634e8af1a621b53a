/** A check while its task runs: what it examines, and its counts. Each result is recorded in one transaction with the counts that it
 *  changes, so after a kill the counts of the task are those of its items. */
import type { CheckSummary } from '../../contract/services/checks.ts'
import type { CheckKind } from '../../contract/shapes/taskKinds.ts'
import type { Store } from '../../storage/storage.ts'
import type { Progress, Resumer, Task } from '../../tasks/task.ts'

/** What a check counts. Files are copies, or files without a copy in a replica that should hold them. */
export type Counts = Pick<Progress, 'filesTotal' | 'filesDone' | 'bytesTotal' | 'bytesDone' | 'findings'>

export class RunningCheck {
  readonly id: number
  readonly kind: CheckKind
  readonly replicas: readonly string[]
  /** Pattern of the names of the chosen files; null: all. */
  readonly pattern: string | null
  /** Number of files, chosen at random; null: all. */
  readonly sample: number | null
  readonly by: Resumer
  readonly #store: Store
  readonly #task: Task
  #counts: Counts

  constructor(store: Store, task: Task, { kind, replicas, files, sample, startedBy, ...counts }: CheckSummary) {
    this.id = task.id
    this.kind = kind
    this.replicas = replicas
    this.pattern = files
    this.sample = sample
    this.by = startedBy === 'schedule' ? 'schedule' : 'user'
    this.#store = store
    this.#task = task
    const { filesTotal, filesDone, bytesTotal, bytesDone, findings } = counts
    this.#counts = { filesTotal, filesDone, bytesTotal, bytesDone, findings }
  }

  get signal(): AbortSignal {
    return this.#task.signal
  }

  get findings(): number {
    return this.#counts.findings
  }

  /** Runs `act` in a transaction, and adds what it returns to the counts. When the transaction fails, the counts stay as they were. */
  record(act: () => Partial<Counts>): void {
    const before = this.#counts
    try {
      this.#store.transaction(() => {
        this.#count(sumOf(before, act()))
        this.#task.save()
      })
    } catch (error) {
      this.#count(before)
      throw error
    }
  }

  /** Sets the totals to zero, before the list of items is written. */
  forgetTotals(): void {
    this.#count({ ...this.#counts, filesTotal: 0, bytesTotal: 0 })
  }

  /** Enters the stage in which copies are examined. */
  listed(): void {
    this.#task.stage('checking')
  }

  #count(counts: Counts): void {
    this.#counts = counts
    this.#task.progress(counts)
  }
}

function sumOf(counts: Counts, added: Partial<Counts>): Counts {
  return {
    filesTotal: counts.filesTotal + (added.filesTotal ?? 0),
    filesDone: counts.filesDone + (added.filesDone ?? 0),
    bytesTotal: counts.bytesTotal + (added.bytesTotal ?? 0),
    bytesDone: counts.bytesDone + (added.bytesDone ?? 0),
    findings: counts.findings + (added.findings ?? 0),
  }
}
