/** Threads without threads: the task's module is loaded here and its task runs in turn with everything else, on the same
 *  world. Input, output, reports and errors are cloned as on the way to a thread and back, so that what cannot make that
 *  journey fails here too. */
import { packThrown, unpackThrown } from './thrown.ts'
import type { SeededTime } from './seededTime.ts'
import type { Task, Threads, World } from './world.ts'

export function seededThreads(time: SeededTime, world: () => World): Threads {
  return {
    async run<Input, Output, Report>(
      module: URL,
      input: Input,
      { onReport, signal }: { onReport?: (report: Report) => void; signal?: AbortSignal } = {},
    ): Promise<Output> {
      const { task } = (await time.outside(import(module.href))) as { task: Task<Input, Output, Report> }
      signal?.throwIfAborted()
      const stop = new AbortController()
      const onAbort = () => stop.abort()
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const report = (progress: Report) => onReport?.(structuredClone(progress))
        return structuredClone(await task({ world: world(), report, signal: stop.signal }, structuredClone(input)))
      } catch (error) {
        signal?.throwIfAborted()
        throw unpackThrown(structuredClone(packThrown(error)))
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
  }
}
