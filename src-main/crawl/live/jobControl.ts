/** Access to the jobs whose queue users change: which jobs have a queue, and the transaction in which a change is made. */
import { Fault } from '../../contract/calls/faults.ts'
import { abortGoalOf, statesIn } from '../../contract/states/jobStates.ts'
import { jobStates } from '../../contract/states/states.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { jobLogOf } from '../model/jobLog.ts'
import type { JobInControl, LiveStatements } from './live.sql.ts'

/** The jobs of a database, for changes of their queues. */
export interface JobControl {
  /** Returns a job that exists. Throws `Fault`: notFound. */
  known(job: number): JobInControl
  /** Returns a job whose queue can be changed. Throws `Fault`: notFound, or refused for a job that has no queue now. */
  jobInControl(job: number): JobInControl
  /** Makes a change in one transaction. `make` returns its result and the line for the job's log. Throws as `jobInControl`. */
  change<Done>(job: number, make: () => Made<Done>): Done
}

/** A change that was made: its result, and the line that the job's log gets. */
export interface Made<Done> {
  done: Done
  line: Message
}

/** States in which the queue can be changed. A job that is being aborted loses its queue. */
const inControl = statesIn('starting', 'working', 'draining', 'waiting').filter(
  (state) => abortGoalOf(state) === undefined,
)

/** Opens the access to jobs. */
export function jobControlOf(
  store: Store,
  sql: Pick<LiveStatements, 'job' | 'changed'>,
  clock: Pick<Clock, 'now'>,
): JobControl {
  const log = jobLogOf(store)

  function known(job: number): JobInControl {
    const row = sql.job.get({ job })
    if (!row) throw new Fault('notFound', message('job.absent', { job }))
    return row
  }

  function jobInControl(job: number): JobInControl {
    const row = known(job)
    if (row.kind !== 'event') throw new Fault('refused', message('job.import.noQueue', { job }))
    if (!inControl.includes(row.state)) {
      throw new Fault('refused', message('job.noQueue', { job, status: jobStates.rows[row.state].badge }))
    }
    return row
  }

  return {
    known,
    jobInControl,
    change: (job, make) =>
      store.transaction(() => {
        // Checked inside the transaction, since the engine may just have ended the job.
        jobInControl(job)
        const { done, line } = make()
        // The run notices changes by this version (`liveRun.ts`).
        sql.changed.run({ job })
        log.add({ job, nowMs: clock.now(), level: 'info', message: line })
        return done
      }),
  }
}
