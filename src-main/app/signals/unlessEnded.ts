/** Actions that end because the engine is being closed: reported as stopped, not as a bug. */
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** Returns the result of `action`. Rejects with `Fault` stopped when it was ended by `signal`; `state` tells the
 *  user what was left behind, such as a partial repair. */
export async function unlessEnded<T>(action: Promise<T>, signal: AbortSignal, state: Message): Promise<T> {
  try {
    return await action
  } catch (error) {
    const isStop = error === signal.reason || (error instanceof Error && error.name === 'AbortError')
    if (!signal.aborted || !isStop) throw error
    throw new Fault('stopped', message('call.stopped', { state }), { cause: error })
  }
}
