/** A task for tests that need all threads of the pool to be busy (`busyThreads.ts`). */
import type { Task } from '../src-main/world/world.ts'

/** Occupies its thread until it is aborted, as a task does that reads a large file. */
export const task: Task<null, void, 'begun'> = async ({ report, signal }) => {
  report('begun')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
