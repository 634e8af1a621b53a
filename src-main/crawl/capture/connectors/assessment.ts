/** Whether a job's connectors are there: one whose connector has gone waits, one whose connectors are all back goes on. The
 *  only owner of these moves, called by its loop and by whoever takes a connector in or out of use, so that no round passes in
 *  between. Whatever may change the answer marks the job (by triggers in the schema). */
import { jobStates, type JobState } from '../../../contract/states/jobStates.ts'
import { mover } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'

export interface Assessed {
  job: number
  to: JobState
}

const gone = jobStates.moves.filter(({ event }) => event === 'connectorGone')
/** States in which the question has an answer; in any other the job stays marked until it is in one of these. */
const asked = [...new Set(gone.flatMap(({ from, to }) => [from, to]))]
/** What is removed is removed from the output alone. */
const onlyOutput = gone.flatMap(({ from, to }) => (to.endsWith('_NOOUTPUT') ? [from, to] : []))

const waiting: ReadonlySet<JobState> = new Set(gone.map(({ to }) => to))

export function waitsForConnector(state: JobState): boolean {
  return waiting.has(state)
}

const list = (states: readonly string[]) => states.map((state) => `'${state}'`).join(', ')

export function assessmentOf(store: Store): () => Assessed[] {
  const move = mover(store, jobStates, { table: 'job' })
  const installed = (column: string) =>
    `EXISTS (SELECT 1 FROM connector WHERE name = harvest.${column} AND state = 'INSTALLED')`
  const sql = {
    /** Uses job_to_assess. */
    marked: store.statement<object, { job: number; isComplete: number }>(
      `SELECT job.id AS job, harvest.kind <> 'event'
              OR (${installed('output')} AND (job.state IN (${list(onlyOutput)}) OR ${installed('repository')})) AS isComplete
       FROM job INDEXED BY job_to_assess JOIN harvest ON harvest.id = job.harvest_id
       WHERE job.is_assessed = 0 AND job.state IN (${list(asked)})`,
    ),
    assessed: store.statement<{ job: number }>(`UPDATE job SET is_assessed = 1 WHERE id = @job`),
  }
  return () => {
    const marked = sql.marked.all({})
    if (marked.length === 0) return []
    return store.transaction(() =>
      marked.flatMap(({ job, isComplete }) => {
        sql.assessed.run({ job })
        const to = move(job, isComplete ? 'connectorBack' : 'connectorGone')
        return to === undefined ? [] : [{ job, to }]
      }),
    )
  }
}
