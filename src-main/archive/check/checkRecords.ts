/** Rows of checks: adds them and moves their states. Each change runs in a transaction with
 *  its entry in the audit log. */
import { checkStates } from '../../contract/states/states.ts'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { ReplicaEvents } from '../copies/replicaEvents.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { CheckActions, CheckEnd } from './checkActions.ts'
import type { Beginner, CheckKind, CheckRow, PreservationStatements } from './preservation.sql.ts'

/** A check to be added. */
export interface NewCheck {
  kind: CheckKind
  replicas: readonly string[]
  filesPattern: string | null
  sample: number | null
  begunBy: Beginner
}

interface CheckRecordsParts {
  store: Store
  clock: Clock
  statements: PreservationStatements
  actions: CheckActions
  events: ReplicaEvents
}

/** Opens the rows of checks. Only these functions change the state of a check. */
export function checkRecords({ store, clock, statements, actions, events }: CheckRecordsParts) {
  const move = mover(store, checkStates, { table: 'preservation_check' })

  /** Throws `ArchiveFault` notFound when there is no such check. */
  function rowOf(check: number): CheckRow {
    const row = statements.check.get({ id: check })
    if (!row) throw new ArchiveFault('notFound', message('check.absent', { check }))
    return row
  }

  return {
    rowOf,
    /** Adds a check with an empty list. */
    add({ kind, replicas, filesPattern, sample, begunBy }: NewCheck): CheckRow {
      return store.transaction(() => {
        const nowMs = clock.now()
        const values = { kind, replicas: JSON.stringify(replicas), filesPattern, sample, begunBy, nowMs }
        const row = statements.add.get(values)
        if (!row) throw new Error('adding a check gave no row')
        for (const replica of replicas)
          events.begin({ replica, kind, number: row.id }, { begunBy, filesTotal: 0 }, nowMs)
        return rowOf(row.id)
      })
    },
    /** Marks the list as complete; from then on the check has begun. */
    listed(check: number): void {
      store.transaction(() => {
        statements.noteListed.run({ check })
        actions.begun(rowOf(check), clock.now())
      })
    },
    /** Moves the check to its end state and records the time and the reason; false when its state does not allow it. */
    end(check: number, event: CheckEnd, problem: Message | undefined): boolean {
      return store.transaction(() => {
        if (move(check, event) === undefined) return false
        const nowMs = clock.now()
        statements.noteEnd.run({
          check,
          nowMs,
          problem: problem ? storedMessage(problem) : null,
          isDeferred: event === 'interrupted' ? 1 : 0,
        })
        const row = rowOf(check)
        // A check that was still writing its list has no start entry in the audit log, so it gets no end entry.
        if (row.list !== 'growing') actions.ended(row, event, nowMs)
        return true
      })
    },
    /** Moves a stopped or failed check back to running. Throws `ArchiveFault` refused when its state does not allow it. */
    resume(check: number, by: Beginner): CheckRow {
      return store.transaction(() => {
        const { state, list } = rowOf(check)
        if (move(check, by === 'person' ? 'resume' : 'takenUp') === undefined)
          throw new ArchiveFault(
            'refused',
            message('check.notResumable', { check, state: checkStates.rows[state].badge }),
          )
        statements.noteResumed.run({ check, begunBy: by })
        if (list === 'whole') actions.begun(rowOf(check), clock.now())
        return rowOf(check)
      })
    },
  }
}

export type CheckRecords = ReturnType<typeof checkRecords>
