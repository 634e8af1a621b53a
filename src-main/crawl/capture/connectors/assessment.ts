/** Checks whether the connectors of jobs are installed: a job that lacks one waits, and resumes when all are back. Only this
 *  module makes these moves. It is called by its loop, and directly when a connector is installed or removed, so that the jobs
 *  move at once. Triggers in the schema mark the jobs that must be checked. */
import { isWithin, jobStates, type JobState } from '../../../contract/states/jobStates.ts'
import { outputsInstalled } from '../../../delivery/jobOutputs.ts'
import { mover } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'

/** A job that changed state. */
export interface Assessed {
  job: number
  to: JobState
}

const gone = jobStates.moves.filter(({ event }) => event === 'connectorGone')
/** States in which the check applies; in any other the job stays marked until it reaches one of these. */
const asked = [...new Set(gone.flatMap(({ from, to }) => [from, to]))]
/** States that depend only on the output connector and on the outputs. */
const onlyOutput = gone.flatMap(({ from, to }) => (isWithin(to, 'noOutput') ? [from, to] : []))

const waiting: ReadonlySet<JobState> = new Set(gone.map(({ to }) => to))

/** Whether a job in this state waits for a connector. */
export function waitsForConnector(state: JobState): boolean {
  return waiting.has(state)
}

const list = (states: readonly string[]) => states.map((state) => `'${state}'`).join(', ')

/** Returns a function that checks the marked jobs and returns those that changed state. */
export function assessmentOf(store: Store): () => Assessed[] {
  const move = mover(store, jobStates, { table: 'job' })
  const installed = (column: string) =>
    `EXISTS (SELECT 1 FROM connector WHERE name = harvest.${column} AND state = 'INSTALLED')`
  const sql = {
    /** Uses job_to_assess. */
    marked: store.statement<object, { job: number; isComplete: number }>(
      `SELECT job.id AS job, harvest.kind <> 'event'
              OR (${installed('output')} AND ${outputsInstalled} AND (job.state IN (${list(onlyOutput)}) OR ${installed('repository')})) AS isComplete
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
