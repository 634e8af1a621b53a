/** Tasks as the database has them: added, moved from state to state, ended, and read. */
import { Fault, type FaultCode } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { isActiveTask, isEndedTask, taskStates, type TaskEvent, type TaskState } from '../contract/states/taskStates.ts'
import { accepts } from '../contract/states/stateTable.ts'
import type { TaskKind, TaskStage, TaskStarter } from '../contract/shapes/taskKinds.ts'
import { timeOf } from '../contract/text/timeOf.ts'
import { message, messageFrom, storedMessage, type Message } from '../contract/words/message.ts'
import { mover } from '../storage/guard.ts'
import type { Store } from '../storage/storage.ts'
import type { Clock } from '../world/world.ts'
import { noProgress, type Progress, type TaskOrder } from './task.ts'
import { taskStatements, type ProgressColumns, type TaskRow } from './tasks.sql.ts'

/** The part of a task that changes while it is worked on. */
export interface LiveColumns {
  progress: Progress
  stage: TaskStage | null
  runningMs: number
}

export interface Problem {
  code: FaultCode | null
  problem: Message
}

export interface TaskRecords {
  /** Adds a task in the state "waiting" and returns its number. */
  add(kind: TaskKind, order: TaskOrder): number
  /** Moves a task; undefined when it does not exist or its state does not allow the event. Entering a state that is an end records the
   *  time, and leaving one removes it together with the problem. */
  move(id: number, event: TaskEvent, problem?: Problem): TaskState | undefined
  /** Replaces who started the task, when someone else resumes it. */
  noteStarter(id: number, startedBy: TaskStarter): void
  /** Writes progress to the row. */
  note(id: number, live: LiveColumns): void
  /** Throws `Fault` notFound. */
  one(id: number): TaskRow
  /** Newest first. */
  list(options: { kind?: TaskKind | undefined; limit: number }): TaskRow[]
  /** Removes the ended tasks of a kind except the newest ones. */
  keepNewest(kind: TaskKind, keptMax: number): void
  /** Tasks of a kind in an active state. */
  active(kind: TaskKind): number[]
}

/** `onMove` is called in the transaction of each move, after it. What it throws undoes the move. */
export function openRecords(
  store: Store,
  clock: Pick<Clock, 'now'>,
  onMove: (id: number, event: TaskEvent) => void,
): TaskRecords {
  const statements = taskStatements(store)
  const moveRow = mover(store, taskStates, { table: 'task' })

  return {
    add(kind, { subject, startedBy, stage = null, ...order }) {
      const progress = columnsOf({ ...noProgress, ...progressIn(order) })
      const row = { kind, subject: storedMessage(subject), stage, startedBy, startedMs: clock.now(), ...progress }
      const added = statements.add.get(row)
      if (!added) throw new Error('adding a task gave no row')
      return added.id
    },
    move: (id, event, problem) =>
      store.transaction(() => {
        const state = moveRow(id, event)
        if (state === undefined) return undefined
        const ended = isEndedTask(state) ? clock.now() : null
        const text = problem ? storedMessage(problem.problem) : null
        statements.noteEnd.run({ id, endedMs: ended, problem: text, code: problem?.code ?? null })
        onMove(id, event)
        return state
      }),
    noteStarter: (id, startedBy) => void statements.noteStarter.run({ id, startedBy }),
    note: (id, { progress, stage, runningMs }) =>
      void statements.noteProgress.run({ id, stage, runningMs, ...columnsOf(progress) }),
    one(id) {
      const row = statements.one.get({ id })
      if (!row) throw new Fault('notFound', message('task.absent', { task: id }))
      return row
    },
    list: ({ kind, limit }) =>
      kind === undefined ? statements.newest.all({ limit }) : statements.newestOfKind.all({ kind, limit }),
    keepNewest: (kind, keptMax) => void statements.removeOldest.run({ kind, keptMax }),
    active: (kind) => statements.notEnded.all({ kind }).flatMap(({ id, state }) => (isActiveTask(state) ? [id] : [])),
  }
}

/** Progress that an order names; the other fields of an order are left out. */
function progressIn({ filesDone, filesTotal, bytesDone, bytesTotal, findings, figures }: Partial<Progress>) {
  const given = { filesDone, filesTotal, bytesDone, bytesTotal, findings, figures }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Progress>
}

function columnsOf({ figures, ...numbers }: Progress): ProgressColumns {
  return { ...numbers, figures: JSON.stringify(figures) }
}

/** Reads the part of a row that changes while the task is worked on. */
export function liveColumnsOf({ stage, runningMs, figures, ...row }: TaskRow): LiveColumns {
  const { filesDone, filesTotal, bytesDone, bytesTotal, findings } = row
  const progress = { filesDone, filesTotal, bytesDone, bytesTotal, findings, figures: figuresIn(figures) }
  return { progress, stage, runningMs }
}

function figuresIn(stored: string): Progress['figures'] {
  return JSON.parse(stored) as Progress['figures']
}

/** A row as the contract has it. `live`: progress of this moment, which the row gets later. `canContinue`: whether the kind can resume
 *  its tasks. */
export function summaryOf(row: TaskRow, live: LiveColumns, canContinue: boolean): TaskSummary {
  const { id, kind, subject, state, startedBy, startedMs, endedMs, problem, code } = row
  const allows = (event: TaskEvent) => accepts(taskStates, state, event)
  return {
    task: id,
    kind,
    subject: messageFrom(subject),
    state,
    stage: live.stage,
    startedBy,
    started: new Date(startedMs).toISOString(),
    ended: timeOf(endedMs),
    runningMs: live.runningMs,
    ...live.progress,
    figures: { ...live.progress.figures },
    problem: messageFrom(problem),
    code,
    canStop: allows('stop'),
    canPause: canContinue && allows('pause'),
    canResume: canContinue && allows('resume'),
  }
}
