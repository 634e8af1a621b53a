/** Actions that end because the engine is being closed: reported as stopped, not as a bug. */
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** Rejects with `Fault` stopped when `signal` ends the action. `state`: what the user finds afterwards. */
export async function unlessEnded<T>(action: Promise<T>, signal: AbortSignal, state: Message): Promise<T> {
  try {
    return await action
  } catch (error) {
    const isStop = error === signal.reason || (error instanceof Error && error.name === 'AbortError')
    if (!signal.aborted || !isStop) throw error
    throw new Fault('stopped', message('call.stopped', { state }), { cause: error })
  }
}
