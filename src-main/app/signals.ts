/** What changed, told to whoever listens: at most a few times a second for each job, however much happens. */
import type { JobSummary } from '../contract/contract.ts'
import type { CrawlReport, Jobs } from '../crawl/crawl.ts'
import type { World } from '../world/world.ts'

/** A person sees no more than a few changes a second; each one costs a look at the database. */
const everyMs = 300

export interface Signals {
  hear(report: CrawlReport): void
  problem(text: string): void
  onJob(listener: (summary: JobSummary) => void): () => void
  onProblem(listener: (problem: { at: string; text: string }) => void): () => void
  close(): void
}

export function openSignals({ jobs, world }: { jobs: Jobs; world: World }): Signals {
  const jobListeners = new Set<(summary: JobSummary) => void>()
  const problemListeners = new Set<(problem: { at: string; text: string }) => void>()
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

  function problem(text: string): void {
    const told = { at: new Date(world.clock.now()).toISOString(), text }
    for (const listener of problemListeners) listener(told)
  }

  return {
    hear(report) {
      if (report.kind === 'problem') return problem(report.text)
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
