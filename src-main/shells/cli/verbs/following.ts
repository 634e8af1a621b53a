/** Follows an operation of the engine until it is at rest, or until Ctrl-C. */
import type { Loupe } from '../../../contract/contract.ts'
import type { TaskSummary } from '../../../contract/services/tasks.ts'
import { isActiveTask } from '../../../contract/states/taskStates.ts'
import { stopped, type Command } from '../session/command.ts'

/** Interval after which the engine is queried when no event came. Events are hints; only the engine's answer is decisive. */
const checkEveryMs = 500

/** `Changed`: what the event carries. */
export interface Followed<Summary, Changed = Summary> {
  begun: Summary
  isRunning: (summary: Summary) => boolean
  listen: (onPayload: (changed: Changed) => void) => () => void
  isSame: (changed: Changed) => boolean
  query: () => Promise<Summary | undefined>
  stop: () => Promise<Summary>
  progressText: (summary: Summary, seconds: number) => string
}

export async function followed<Summary, Changed = Summary>(
  { output, signal }: Pick<Command, 'output' | 'signal'>,
  { begun, isRunning, listen, isSame, query, stop, progressText }: Followed<Summary, Changed>,
): Promise<Summary> {
  const ctrlC = stopped(signal)
  const beganMs = performance.now()
  let current = begun
  let ring = () => {}
  const unsubscribe = listen((changed) => {
    if (isSame(changed)) ring()
  })
  try {
    while (isRunning(current)) {
      if (signal.aborted) return await stop()
      output.progress(progressText(current, (performance.now() - beganMs) / 1000))
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      const timer = setTimeout(resolve, checkEveryMs)
      await Promise.race([promise, ctrlC])
      clearTimeout(timer)
      current = (await query()) ?? current
    }
    return current
  } finally {
    unsubscribe()
  }
}

/** A task of one kind, whose summary comes from the list of that kind. Ctrl-C stops it. */
export function followedTask<Summary extends TaskSummary>(
  tasks: Pick<Loupe['tasks'], 'changed' | 'stop'>,
  kind: { list(input: Record<string, never>): Promise<Summary[]> },
  begun: Summary,
  progressText: Followed<Summary>['progressText'],
): Followed<Summary, TaskSummary> {
  const { task } = begun
  const query = async () => (await kind.list({})).find((row) => row.task === task)
  return {
    begun,
    isRunning: ({ state }) => isActiveTask(state),
    listen: tasks.changed,
    isSame: (changed) => changed.task === task,
    query,
    async stop() {
      await tasks.stop({ task })
      return (await query()) ?? begun
    },
    progressText,
  }
}
