/** Waits that end at once when they are aborted. */

/** Resolves with the value of the promise, or rejects with the reason of the signal as soon as it is aborted. The promise itself is
 *  not ended by that: others may be waiting for it. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal?.reason as Error)
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort)
  try {
    // Also after an abort: a rejection that nothing handles would end the process. The abort comes first, so that it wins over a
    // promise that has settled already.
    return await Promise.race([aborted.promise, promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
