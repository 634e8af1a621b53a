/** What changed, told to whoever listens: at most a few times a second for each job, however much happens. */
import type { JobSummary } from '../contract/contract.ts'
import type { FaultCode } from '../contract/faults.ts'
import type { CrawlReport, Jobs } from '../crawl/crawl.ts'
import type { World } from '../world/world.ts'

/** A person sees no more than a few changes a second; each one costs a look at the database. */
const everyMs = 300

export interface Problem {
  text: string
  code: FaultCode
  of: 'crawl' | 'viewer' | 'archive'
  /** The job that cannot go on for it, when it is the trouble of one. */
  job: number | null
}

export interface Signals {
  hear(report: CrawlReport): void
  problem(problem: Problem): void
  onJob(listener: (summary: JobSummary) => void): () => void
  onProblem(listener: (problem: Problem & { at: string }) => void): () => void
  close(): void
}

export function openSignals({ jobs, world }: { jobs: Jobs; world: World }): Signals {
  const jobListeners = new Set<(summary: JobSummary) => void>()
  const problemListeners = new Set<(problem: Problem & { at: string }) => void>()
  const changed = new Set<number>()
  const closed = new AbortController()
  let telling = false

  async function tell(): Promise<void> {
    telling = true
    while (changed.size > 0 && !closed.signal.aborted) {
      const told = [...changed]
      changed.clear()
      for (const job of told) {
        const summary = jobs.summary(job)
        for (const listener of jobListeners) listener(summary)
      }
      await world.clock.sleep(everyMs, closed.signal).catch(() => undefined)
    }
    telling = false
  }

  function problem(found: Problem): void {
    const told = { at: new Date(world.clock.now()).toISOString(), ...found }
    for (const listener of problemListeners) listener(told)
  }

  return {
    hear(report) {
      if (report.kind === 'problem')
        return problem({ text: report.text, code: report.code, of: 'crawl', job: report.job })
      changed.add(report.job)
      if (!telling) void tell()
    },
    problem,
    onJob: (listener) => subscribed(jobListeners, listener),
    onProblem: (listener) => subscribed(problemListeners, listener),
    close: () => closed.abort(),
  }
}

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
