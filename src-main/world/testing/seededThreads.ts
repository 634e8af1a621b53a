/** Implements threads without threads: the task's module is loaded here and its task runs on the same world, in turn with
 *  everything else. Input, output, reports and errors are cloned as for a real thread, so that values that cannot be cloned
 *  fail here too. */
import { packThrown, unpackThrown } from '../thrown.ts'
import type { SeededTime } from './seededTime.ts'
import type { RunOptions, Task, Threads, World } from '../world.ts'

/** Loaded modules. Real time passes only while a module is loaded for the first time. */
const loaded = new Map<string, unknown>()

/** Returns threads whose tasks run on `world`. */
export function seededThreads(time: SeededTime, world: () => World): Threads {
  async function load(href: string): Promise<unknown> {
    const module: unknown = await time.outside(import(href))
    loaded.set(href, module)
    return module
  }

  async function run<Input, Output, Report>(
    module: URL,
    input: Input,
    { onReport, signal }: RunOptions<Report> = {},
  ): Promise<Output> {
    const { task } = (loaded.get(module.href) ?? (await load(module.href))) as { task: Task<Input, Output, Report> }
    signal?.throwIfAborted()
    const stop = new AbortController()
    const onAbort = () => stop.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const report = (progress: Report) => onReport?.(structuredClone(progress))
      // Printed text goes to the usual output, because no thread collects it.
      const context = { world: world(), report, signal: stop.signal, takePrinted: () => '' }
      return structuredClone(await task(context, structuredClone(input)))
    } catch (error) {
      signal?.throwIfAborted()
      throw unpackThrown(structuredClone(packThrown(error)))
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }
  return {
    count: 2,
    run,
    /** The limits are not applied: there is no thread to terminate. */
    own() {
      let ended = false
      return {
        get ended() {
          return ended
        },
        async run(module, input, options) {
          if (ended) throw new Error('this thread has ended')
          return run(module, input, options)
        },
        close: () => void (ended = true),
      }
    },
  }
}
