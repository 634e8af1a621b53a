/** How runs get deduplication indexes. Which client is used is a setting (`harvest.deduplicationIndex`): the indexes of the archive, or none. */
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { messageFrom, type Message, message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { indexWaitMsMax, pollMs } from '../model/limits.ts'
import { indexRequestStatements, type Answer } from './indexRequests.sql.ts'

/** The index that a job wants. */
export interface IndexWanted {
  job: number
  /** Ascending. */
  jobs: readonly number[]
  excludedTypes: readonly string[]
}

/** An index, or the reason why there is none. */
export type ProvidedIndex = { path: string; jobsMissing: number[]; filesMissing: number } | { problem: Message }

/** Provides indexes. */
export interface IndexClient {
  /** Resolves when the index is on the disk. Rejects with the signal's reason. */
  indexFor(wanted: IndexWanted, signal: AbortSignal): Promise<ProvidedIndex>
}

/** Asks the indexes of the archive, which another thread builds, through the database. A request survives a kill. */
export function archiveIndexClient(
  { store, world }: { store: Store; world: Pick<World, 'clock'> },
  /** Tells the other thread that there is a request. */
  onAsked: () => void,
): IndexClient {
  const sql = indexRequestStatements(store)
  return {
    async indexFor({ job, jobs, excludedTypes }, signal) {
      const tooLong = message('jobLog.dedup.tooLong', { jobs: selectionMessage({ jobs }) })
      const beganMs = world.clock.elapsed()
      const asked = sql.ask.get({
        job,
        jobs: JSON.stringify(jobs),
        excludedTypes: JSON.stringify(excludedTypes),
      })?.asked
      if (asked === undefined) throw new Error('INSERT … RETURNING gave no row')
      onAsked()
      for (;;) {
        const row = sql.answerTo.get({ job, asked })
        if (row) return providedBy(row, tooLong)
        if (world.clock.elapsed() - beganMs > indexWaitMsMax) return { problem: tooLong }
        await world.clock.sleep(pollMs, signal)
      }
    },
  }
}

function providedBy({ path, jobsMissing, filesMissing, problem }: Answer, tooLong: Message): ProvidedIndex {
  if (path === null) return { problem: problem === null ? tooLong : messageFrom(problem) }
  return { path, jobsMissing: JSON.parse(jobsMissing ?? '[]') as number[], filesMissing: filesMissing ?? 0 }
}
