/** Counts those who need the result of a build, so that it can be stopped when no one does: callers that wait for it, and
 *  readers of the growing database. */
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'

/** The holders of one build. */
export class Holders {
  /** One function per holder, which removes the holder. */
  readonly #holders = new Set<(reason: unknown) => void>()
  readonly #left = new AbortController()

  /** Aborted when the last holder leaves, with its reason. */
  get left(): AbortSignal {
    return this.#left.signal
  }

  /** Adds a holder, which leaves when the returned function is called or its signal is aborted. A holder whose signal is
   *  aborted already leaves at once. */
  hold(signal: AbortSignal | undefined): () => void {
    const leave = (reason: unknown) => {
      signal?.removeEventListener('abort', onAbort)
      if (this.#holders.delete(leave) && this.#holders.size === 0) this.#left.abort(reason)
    }
    const onAbort = () => leave(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    this.#holders.add(leave)
    if (signal?.aborted) leave(signal.reason)
    return () => leave(new Fault('stopped', message('index.unneeded')))
  }
}
