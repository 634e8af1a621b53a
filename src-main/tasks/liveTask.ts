/** One task while this process works on it: its progress, its clock and its signal. */
import type { TaskStage } from '../contract/shapes/taskKinds.ts'
import { StorageFault } from '../storage/storage.ts'
import { stopwatch } from '../world/stopwatch.ts'
import type { Clock } from '../world/world.ts'
import type { Progress, Task } from './task.ts'
import type { LiveColumns } from './taskRecords.ts'

/** Interval between events of a task. Users notice no more than a few changes a second. */
const announcedEveryMs = 250
/** Interval between writes of the progress: a killed task shows how far it came, and its work is not slowed by commits. */
const savedEveryMs = 5_000

interface LiveTaskParts {
  clock: Pick<Clock, 'elapsed'>
  /** Writes progress to the database. */
  onSave: (live: LiveColumns) => void
  onChange: () => void
}

export class LiveTask implements Task {
  readonly id: number
  /** Resolves when the work has ended and its result is recorded. Never rejects. */
  whole: Promise<void> = Promise.resolve()
  readonly #parts: LiveTaskParts
  readonly #stopper = new AbortController()
  readonly #elapsedMs: () => number
  #columns: LiveColumns
  #announcedAtMs = 0
  #savedAtMs = 0

  /** Begins to count the time. `columns`: what the row has. */
  constructor(id: number, columns: LiveColumns, parts: LiveTaskParts) {
    this.id = id
    this.#columns = columns
    this.#parts = parts
    this.#elapsedMs = stopwatch(parts.clock)
  }

  get signal(): AbortSignal {
    return this.#stopper.signal
  }

  /** Progress of this moment. */
  get live(): LiveColumns {
    return { ...this.#columns, runningMs: this.#columns.runningMs + this.#elapsedMs() }
  }

  progress(changed: Partial<Progress>): void {
    this.#columns = { ...this.#columns, progress: { ...this.#columns.progress, ...changed } }
    const nowMs = this.#elapsedMs()
    if (nowMs - this.#savedAtMs >= savedEveryMs) this.#saveIfPossible(nowMs)
    if (nowMs - this.#announcedAtMs < announcedEveryMs) return
    this.#announcedAtMs = nowMs
    this.#parts.onChange()
  }

  stage(stage: TaskStage): void {
    this.#columns = { ...this.#columns, stage }
    this.save()
    this.#announcedAtMs = this.#elapsedMs()
    this.#parts.onChange()
  }

  save(): void {
    this.#savedAtMs = this.#elapsedMs()
    this.#parts.onSave(this.live)
  }

  /** Asks the work to end. Further calls have no effect. */
  abort(): void {
    this.#stopper.abort()
  }

  /** A full or damaged disk of the archive does not fail work that may write elsewhere; its end reports the fault. */
  #saveIfPossible(nowMs: number): void {
    this.#savedAtMs = nowMs
    try {
      this.#parts.onSave(this.live)
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error
    }
  }
}
