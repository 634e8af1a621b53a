/** The task that shows an import in the list of tasks. The state of an import is that of its job, so the task follows the job in the
 *  transaction of each of its moves (docs/decisions/tasks.md). */
import { phaseOf } from '../../contract/states/jobStates.ts'
import { isActiveTask, isEndedTask } from '../../contract/states/taskStates.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { openRecords } from '../../tasks/taskRecords.ts'
import type { Clock } from '../../world/world.ts'
import type { JobMove } from '../history/jobActivities.ts'
import { jobStatements, type JobRow } from '../model/jobs.sql.ts'
import { importTaskStatements } from './importTask.sql.ts'
import { eventsBetween, taskStateOf } from './importTaskState.ts'
import { taskProgressEveryMs } from './limits.ts'

/** The tasks of imports. */
export interface ImportTasks {
  /** Adds the task of a new import, in the transaction that adds its job. `name`: what is imported. */
  add(job: number, name: string): void
  /** Number of the task of an import; undefined for other jobs, and for a job that was restored from its metadata file. */
  taskOf(job: number): number | undefined
  /** Job of an import by the number of its task; undefined after the job was deleted. */
  jobOf(task: number): number | undefined
  /** Brings the task of a job to the state that follows from the job; no effect for other jobs. Called in the transaction of the move. */
  follow(job: number): void
  /** Writes the progress of an import to its task while it is active. */
  noteProgress(job: number): void
}

/** Opens the tasks of all imports. */
export function importTasks(store: Store, clock: Pick<Clock, 'now'>): ImportTasks {
  const records = openRecords(store, clock, () => undefined)
  const sql = importTaskStatements(store)
  const { one } = jobStatements(store)
  const taskOf = (job: number) => sql.ofJob.get({ job })?.task

  function note(task: number, { id: job, state, runningMs }: JobRow): void {
    const progress = sql.progress.get({ job })
    const phase = phaseOf(state)
    const stage = phase === 'ending' || phase === 'resting' ? 'storing' : 'importing'
    if (progress) records.note(task, { stage, runningMs, progress: { ...progress, figures: {} } })
  }

  return {
    add(job, name) {
      const order = { subject: message('import.task', { job, name }), startedBy: 'user' } as const
      sql.add.run({ job, task: records.add('import', order) })
    },
    taskOf,
    jobOf: (task) => sql.ofTask.get({ task })?.job,
    follow(job) {
      const task = taskOf(job)
      const row = task === undefined ? undefined : one.get({ job })
      if (task === undefined || !row) return
      const { state } = records.one(task)
      // The files of an ended import that a replica refused are offered again when Loupe opens the archive.
      const isStoredAgain = isEndedTask(state) && phaseOf(row.state) === 'ending'
      const events = eventsBetween(state, isStoredAgain ? 'RUNNING' : (taskStateOf(row) ?? state)) ?? []
      if (isStoredAgain && events.length > 0) records.noteStarter(task, 'recovery')
      note(task, row)
      const problem = { code: row.errorCode, problem: messageFrom(row.errorText ?? '') }
      for (const event of events) records.move(task, event, event === 'failed' ? problem : undefined)
    },
    noteProgress(job) {
      const task = taskOf(job)
      const row = one.get({ job })
      if (task !== undefined && row && isActiveTask(records.one(task).state))
        store.unsyncedTransaction(() => note(task, row))
    },
  }
}

/** Wraps a mover of jobs so that the task of an import follows its job. */
export function movesWithTask(store: Store, clock: Pick<Clock, 'now'>, move: JobMove): JobMove {
  const { follow } = importTasks(store, clock)
  return (job, event) =>
    store.transaction(() => {
      const state = move(job, event)
      if (state !== undefined) follow(job)
      return state
    })
}

/** Returns a function that writes the progress of an import to its task, at most every `taskProgressEveryMs`. */
export function importProgress({ store, clock }: { store: Store; clock: Clock }, job: number): () => void {
  const { noteProgress } = importTasks(store, clock)
  let writtenMs = -Infinity
  return () => {
    if (clock.elapsed() - writtenMs < taskProgressEveryMs) return
    writtenMs = clock.elapsed()
    noteProgress(job)
  }
}
