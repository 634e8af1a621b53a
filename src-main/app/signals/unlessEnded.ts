/** An act that the end of the engine cuts short, told as that: not as a mistake. */
import { Fault } from '../../contract/calls/faults.ts'

/** The engine ended before the act did: that is no mistake of Loupe, and `how` says how it stands. */
export async function unlessEnded<T>(act: Promise<T>, signal: AbortSignal, how: string): Promise<T> {
  try {
    return await act
  } catch (error) {
    const isStop = error === signal.reason || (error instanceof Error && error.name === 'AbortError')
    if (!signal.aborted || !isStop) throw error
    throw new Fault('stopped', `It was stopped: ${how}.`, { cause: error })
  }
}
