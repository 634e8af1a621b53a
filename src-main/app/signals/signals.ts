/** Events of the engine, limited to a few per second for each job, however much happens. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Message } from '../../contract/words/message.ts'
import type { ImportedFile } from '../../contract/services/harvests.ts'
import type { JobSummary } from '../../contract/services/jobSummary.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { CrawlReport, Imports, Jobs } from '../../crawl/crawl.ts'
import type { World } from '../../world/world.ts'
import { emitter } from '../../contract/calls/emitter.ts'

/** Interval between events of a job. Users notice no more than a few changes a second, and each costs a query of the database. */
const everyMs = 300

/**
 * Number of files in one event: an import may have a hundred thousand, and each takes some 300 bytes for every window. The others follow in
 * the next event.
 */
const filesAtOnceMax = 5_000

/** A failure that no caller waits for. */
export interface Problem {
  /** What failed, and why. */
  message: Message
  code: FaultCode
  of: 'crawl' | 'viewer' | 'archive'
  /** The job that cannot go on because of the problem; null when it does not concern a single job. */
  job: number | null
}

/** Files of an import that have changed. */
export interface ImportMoved {
  job: number
  files: ImportedFile[]
}

/** Events of the engine for subscribers. */
export interface Signals {
  /** Takes a report of the crawl. Changes of one job within `everyMs` become one event with its state at that
   *  time. */
  report(report: Exclude<CrawlReport, { kind: 'recovered' | 'found' | 'loops' | 'resting' }>): void
  /** Emits a failure at once. */
  problem(problem: Problem): void
  onJob(listener: (summary: JobSummary) => void): () => void
  /** Subscribes to the moment at which the engine knows which files of the replicas and of the job folders are its own. */
  onSettled(listener: () => void): () => void
  /** Subscribes to the removal of a job. */
  onRemoved(listener: (gone: { job: number }) => void): () => void
  onImport(listener: (moved: ImportMoved) => void): () => void
  onProblem(listener: (problem: Problem & { at: string }) => void): () => void
  close(): void
}

/** Makes the events. Nothing is queried while nothing changes. */
export function openSignals({ jobs, imports, world }: { jobs: Jobs; imports: Imports; world: World }): Signals {
  const jobChanges = emitter<JobSummary>()
  const removedChanges = emitter<{ job: number }>()
  const settledChanges = emitter<undefined>()
  const importChanges = emitter<ImportMoved>()
  const problemChanges = emitter<Problem & { at: string }>()
  const changed = new Set<number>()
  /** For importing jobs, the files that have changed since the last event. */
  const moved = new Map<number, Set<number>>()
  const closed = new AbortController()
  let isEmitting = false

  /** Emits what has changed, and again after `everyMs`, until nothing has changed meanwhile. */
  async function emitChanges(): Promise<void> {
    isEmitting = true
    while (changed.size + moved.size > 0 && !closed.signal.aborted) {
      const jobsChanged = [...changed]
      const filesChanged = [...moved].map(([job, files]) => [job, taken(files, filesAtOnceMax)] as const)
      changed.clear()
      for (const [job] of filesChanged) if (moved.get(job)?.size === 0) moved.delete(job)
      for (const job of jobsChanged) {
        const summary = jobs.known(job)
        if (summary) jobChanges.emit(summary)
        else removedChanges.emit({ job })
      }
      for (const [job, ids] of filesChanged) {
        const files = imports.some(ids)
        importChanges.emit({ job, files })
      }
      await sleepUnlessAborted(world.clock, everyMs, closed.signal)
    }
    isEmitting = false
  }

  function problem(found: Problem): void {
    problemChanges.emit({ at: new Date(world.clock.now()).toISOString(), ...found })
  }

  return {
    report(report) {
      if (report.kind === 'problem')
        return problem({ message: report.message, code: report.code, of: 'crawl', job: report.job })
      if (report.kind === 'settled') settledChanges.emit(undefined)
      if (report.kind === 'changed') changed.add(report.job)
      if (report.kind === 'imported') {
        const files = moved.get(report.job) ?? new Set()
        for (const file of report.files) files.add(file)
        moved.set(report.job, files)
      }
      if (!isEmitting) void emitChanges()
    },
    problem,
    onJob: jobChanges.on,
    onSettled: (listener) => settledChanges.on(listener),
    onRemoved: removedChanges.on,
    onImport: importChanges.on,
    onProblem: problemChanges.on,
    close: () => closed.abort(),
  }
}

/** Removes the first `countMax` items from the set and returns them. */
function taken<T>(all: Set<T>, countMax: number): T[] {
  const first = [...all].slice(0, countMax)
  for (const one of first) all.delete(one)
  return first
}
