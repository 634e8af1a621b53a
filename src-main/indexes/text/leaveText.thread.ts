/** Removes the documents of jobs from the index. A content stays while a capture of any job has it. A job that began to leave is not found
 *  any more, and one that a kill interrupts goes on leaving at the next start. */
import type { TaskContext } from '../../world/world.ts'
import { leavingStatements, textWriteStatements } from './store/textIndex.sql.ts'
import { openTextStore } from './store/textStore.ts'

export interface LeaveInput {
  /** Path of the index. */
  index: string
  /** Besides those that are leaving already. */
  jobs: number[]
}

/** Captures that are removed in one transaction. */
const batchCapturesMax = 1_000

/** Returns the number of captures that were removed. */
export function task(_: TaskContext<never>, { index, jobs }: LeaveInput): Promise<{ captures: number }> {
  const store = openTextStore(index)
  try {
    const sql = leavingStatements(store)
    const contents = textWriteStatements(store)
    store.transaction(() => {
      for (const job of jobs) sql.leave.run({ job })
    })
    let captures = 0
    for (const { job } of sql.leaving.all({})) {
      for (let isMore = true; isMore;)
        store.transaction(() => {
          sql.forgetFiles.run({ job })
          const some = sql.some.all({ job, limit: batchCapturesMax })
          for (const { id, content } of some) {
            sql.removeCapture.run({ id })
            if (content !== null && contents.removeContent.run({ id: content }) > 0)
              contents.removeWords.run({ id: content })
          }
          captures += some.length
          isMore = some.length > 0
        })
      sql.left.run({ job })
    }
    return Promise.resolve({ captures })
  } finally {
    store.close()
  }
}
