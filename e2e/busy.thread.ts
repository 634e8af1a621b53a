import type { Task } from '../src-main/world/world.ts'

/** Has its thread for itself until it is told to stop, as a task has that reads a great file. */
export const task: Task<null, void, 'begun'> = async ({ report, signal }) => {
  report('begun')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
