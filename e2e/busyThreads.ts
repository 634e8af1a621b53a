/** Occupies all threads of the pool of this process, so that every task an engine of this process gives to the pool has to wait, as
 *  it does while a harvest reads large files. Tasks in lasting threads and in threads of their own continue. */
import { realWorld } from '../src-main/world/real.ts'

/** Resolves when every thread is occupied; the returned function releases them. */
export async function busyThreads(): Promise<() => Promise<void>> {
  const { threads } = realWorld()
  const over = new AbortController()
  const module = new URL('./busy.thread.ts', import.meta.url)
  const tasks = Array.from({ length: threads.count }, () => {
    const begun = Promise.withResolvers<unknown>()
    const ended = threads.run<null, void, 'begun'>(module, null, { signal: over.signal, onReport: begun.resolve })
    // A failure before the beginning rejects `begun`.
    ended.catch(begun.reject)
    return { begun: begun.promise, ended }
  })
  await Promise.all(tasks.map(({ begun }) => begun))
  return async () => {
    over.abort()
    await Promise.allSettled(tasks.map(({ ended }) => ended))
  }
}
