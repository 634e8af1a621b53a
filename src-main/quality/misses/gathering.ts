/** Brings the misses of a job up to date: failures of a run that has ended are added, and what a later run or a patch job has captured
 *  is solved. It is done when misses are asked for, and only reads what has been committed, so a kill loses nothing. */
import type { JobSummary } from '../../contract/services/jobSummary.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import { mover } from '../../storage/guard.ts'
import { missStates } from '../../contract/states/missStates.ts'
import { missBatchMax } from '../model/limits.ts'
import { missStatements } from './misses.sql.ts'
import { isOfRequest, reasonIn } from './missReason.ts'
import { missNoter } from './noteMiss.ts'

interface Parts {
  store: Store
  jobs: Pick<Jobs, 'known' | 'fateOf' | 'failures'>
}

/** Status from which an answer is an error: a page is not mended by it. */
const errorStatusMin = 400

/** Returns a function that resolves when the misses of a job are up to date. Calls for the same job share the work. */
export function missGathering({ store, jobs }: Parts): (job: number) => Promise<void> {
  const sql = missStatements(store)
  const note = missNoter(store)
  const move = mover(store, missStates, { table: 'miss' })
  const underWay = new Map<number, Promise<void>>()

  /** Works on batches, each in a transaction, until one is not full. `act` returns the id after which the next batch begins. */
  async function inBatches<Row extends { id: number }>(
    next: (after: number) => Row[],
    act: (rows: Row[]) => void,
  ): Promise<void> {
    for (let after = 0; ;) {
      const rows = next(after)
      store.transaction(() => act(rows))
      if (rows.length < missBatchMax) return
      after = rows.at(-1)?.id ?? after
      await new Promise((others) => setImmediate(others))
    }
  }

  async function readRun({ job, kind }: JobSummary, endedMs: number): Promise<void> {
    await inBatches(
      (after) => jobs.failures({ job, after, limit: missBatchMax }),
      (rows) =>
        note(
          rows.map(({ url, role, reason, via }) => ({
            ...{ job, url, reason, page: via ?? '', source: 'harvest', firstMs: endedMs, lastMs: endedMs },
            type: role === 'page' ? 'document' : '',
            times: 1,
            isMissedAgain: (patchJob) => patchJob === null,
          })),
        ),
    )
    await inBatches(
      (after) => sql.unsolved.all({ job, after, limit: missBatchMax }),
      (rows) => {
        for (const { id, url, reason } of rows) {
          if (isOfRequest(reason)) continue
          const fate = jobs.fateOf(job, url)
          if (fate.is === 'captured') sql.solve.run({ id })
          else if (reasonIn(fate, kind) !== reason) sql.setReason.run({ id, reason: reasonIn(fate, kind) })
        }
      },
    )
    sql.setReading.run({ job, endedMs })
  }

  /** Settles the misses of patch jobs that have ended or were deleted. */
  function settlePatches(job: number): void {
    const hasEnded = new Map<number, boolean>()
    store.transaction(() => {
      for (const { id, url, patchJob } of sql.inPatch.all({ job })) {
        if (patchJob === null) continue
        const isOver = hasEnded.get(patchJob) ?? jobs.known(patchJob)?.ended !== null
        hasEnded.set(patchJob, isOver)
        if (!isOver) continue
        const fate = jobs.fateOf(patchJob, url)
        const isSolved = fate.is === 'captured' && (fate.status ?? 0) < errorStatusMin
        move(id, isSolved ? 'solved' : 'unsolved')
      }
    })
  }

  async function gather(job: number): Promise<void> {
    const known = jobs.known(job)
    if (known === undefined) return
    const endedMs = known.ended === null ? undefined : Date.parse(known.ended)
    if (endedMs !== undefined && sql.readingOf.get({ job })?.endedMs !== endedMs) await readRun(known, endedMs)
    settlePatches(job)
  }

  return (job) => {
    const begun = underWay.get(job) ?? gather(job).finally(() => underWay.delete(job))
    underWay.set(job, begun)
    return begun
  }
}
