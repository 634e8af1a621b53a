/** All threads of this process have something else to do: whatever an engine in it gives to a thread waits, as behind the great files of
 *  a harvest. Tasks in lasting threads and threads of their own go on. */
import { realWorld } from '../src-main/world/real.ts'

/** Resolves when no thread is left; gives how to set them free. */
export async function busyThreads(): Promise<() => Promise<void>> {
  const { threads } = realWorld()
  const over = new AbortController()
  const module = new URL('./busy.thread.ts', import.meta.url)
  const tasks = Array.from({ length: threads.count }, () => {
    const begun = Promise.withResolvers<unknown>()
    const ended = threads.run<null, void, 'begun'>(module, null, { signal: over.signal, onReport: begun.resolve })
    // Whoever waits for its beginning hears of a failure.
    ended.catch(begun.reject)
    return { begun: begun.promise, ended }
  })
  await Promise.all(tasks.map(({ begun }) => begun))
  return async () => {
    over.abort()
    await Promise.allSettled(tasks.map(({ ended }) => ended))
  }
}
