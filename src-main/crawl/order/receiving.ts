/** Receives the results of an ordered run. */
import { rescheduleDelayMsMax } from '../model/limits.ts'
import type { Result } from '../settle/result.ts'
import type { CommitWindow } from './commitWindow.ts'
import type { Fetchers } from './fetchers.ts'
import type { HeldResults } from './heldResults.ts'
import type { Numbers } from './issuing.ts'

/** Parameters of `receivingWith`. */
export interface ReceivingSetting {
  window(): Pick<CommitWindow, 'base' | 'receive'>
  numbers: Pick<Numbers, 'numberOf'>
  fetchers: Pick<Fetchers, 'isAnswered' | 'answered' | 'failed'>
  held: Pick<HeldResults, 'hold' | 'keep'>
  /** Passes on what can be passed on. */
  deliver(): Promise<void>
  /** Counts that a number is given again; false if it was given as often as it may be. */
  reschedule(number: number): boolean
  /** Writes a result that has no number, or keeps it. */
  write(result: Result): Promise<void>
}

/** Returns the function that receives a result. It resolves when the result is written, or is in a file and waits for those before it. */
export function receivingWith(setting: ReceivingSetting): (result: Result) => Promise<void> {
  const { window, numbers, fetchers, held, deliver, reschedule, write } = setting

  /** Tells whether the document keeps its number although it is tried again. */
  function keepsNumber({ delayMs, attempted }: Extract<Result, { kind: 'postponed' }>, number: number): boolean {
    return !attempted || (delayMs <= rescheduleDelayMsMax && reschedule(number))
  }

  return async (result) => {
    const { id } = result.document
    const number = numbers.numberOf(id)
    // Another answer to the same number was first, or is still to come.
    if (fetchers.isAnswered(id) || (result.kind === 'postponed' && fetchers.failed(id))) return drop(result)
    if (number !== undefined && result.kind === 'postponed' && keepsNumber(result, number)) return write(result)
    fetchers.answered(id)
    if (number === undefined) return write(result)
    const isNext = window().base === number
    window().receive(number)
    if (isNext) held.hold(number, result)
    else await held.keep(number, result)
    await deliver()
  }
}

async function drop(result: Result): Promise<void> {
  if (result.kind === 'fetched') await result.release()
}
