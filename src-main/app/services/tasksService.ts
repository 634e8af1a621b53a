/** Service `tasks` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import type { Tasks } from '../../tasks/tasks.ts'

/** Makes the service. Lists are newest first. */
export function tasksService(tasks: Tasks): Loupe['tasks'] {
  return {
    list: async ({ kind, limit = 200 }) => tasks.list({ kind, limit }),
    stop: ({ task }) => tasks.stop(task),
    pause: ({ task }) => tasks.pause(task),
    resume: ({ task }) => tasks.resume(task),
    changed: (onPayload) => tasks.onChange(onPayload),
  }
}
