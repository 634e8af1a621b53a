/** Moves of jobs from state to state, with what follows a job in the same transaction: its history, and the task of an import. */
import { jobStates } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { movesWithHistory, type JobMove } from '../history/jobActivities.ts'
import { movesWithTask } from '../import/importTask.ts'

/** Returns the function that moves jobs. It returns the new state, or undefined if the table refuses the event. */
export function jobMoves(store: Store, clock: Clock): JobMove {
  const move = mover(store, jobStates, { table: 'job' })
  return movesWithTask(store, clock, movesWithHistory(store, clock, move))
}
