/** Answers the requests of the harvester for deduplication indexes, from the indexes of the archive. */
import { Fault } from '../../contract/calls/faults.ts'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import type { Indexes } from '../../indexes/indexes.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import { indexRequestStatements, type RequestRow } from './indexRequests.sql.ts'

/** What answers requests. */
export interface IndexRequests {
  /** Begins to answer the requests that are not being answered yet. */
  answer(): void
}

/** Prepares to answer; requests that an earlier process left are answered by the first call of `answer`. `signal`: the indexes are being
 *  closed, and what is not answered yet is left for the next process. */
export function openIndexRequests(
  { store, indexes, signal }: { store: Store; indexes: Pick<Indexes, 'dedupIndexFor'>; signal: AbortSignal },
  onBug: (error: unknown) => void,
): IndexRequests {
  const sql = indexRequestStatements(store)
  /** Requests that are being answered, as JSON. */
  const answering = new Set<string>()

  async function answerOne(row: RequestRow): Promise<void> {
    const { jobs, excludedTypes } = row
    const none = { ...row, path: null, jobsMissing: null, filesMissing: null }
    try {
      const wanted = { jobs: JSON.parse(jobs) as number[], excludedTypes: JSON.parse(excludedTypes) as string[] }
      const { path, manifest, leave } = await indexes.dedupIndexFor(wanted)
      // The harvester opens the file at once. If it is evicted before, it asks again.
      leave()
      const jobsMissing = JSON.stringify(manifest.jobsMissing)
      sql.answer.run({ ...row, path, jobsMissing, filesMissing: manifest.filesMissing.length, problem: null })
    } catch (error) {
      if (signal.aborted) return
      const problem = problemIn(error)
      if (problem === undefined) onBug(error)
      sql.answer.run({ ...none, problem: storedMessage(problem ?? message('text', { text: messageOf(error) })) })
    }
  }

  return {
    answer() {
      for (const row of sql.open.all({})) {
        const key = JSON.stringify(row)
        if (answering.has(key) || signal.aborted) continue
        answering.add(key)
        // A request that could not be answered, because the database cannot be written, stays open for the next call.
        answerOne(row)
          .catch((error: unknown) => (signal.aborted ? undefined : onBug(error)))
          .finally(() => answering.delete(key))
      }
    },
  }
}

/** What a fault says to users; undefined for a bug. */
function problemIn(error: unknown): Message | undefined {
  if (error instanceof DiskFault) return diskMessage(error)
  return error instanceof Fault ? error.userMessage : undefined
}
