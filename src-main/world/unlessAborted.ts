/** Waits that end at once when they are aborted. */

/** Resolves with the value of the promise, or rejects with the reason of the signal as soon as it is aborted. The promise itself is
 *  not ended by that: others may be waiting for it. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal?.reason as Error)
  signal?.addEventListener('abort', onAbort)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
