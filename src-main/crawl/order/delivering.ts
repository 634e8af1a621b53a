/** Passes results on in the order of their numbers. */
import type { Result } from '../settle/result.ts'
import type { CommitWindow } from './commitWindow.ts'
import type { HeldResults } from './heldResults.ts'

/** Parameters of `deliveringTo`. */
export interface DeliveringSetting {
  held: Pick<HeldResults, 'take'>
  window(): Pick<CommitWindow, 'deliver'>
  /** Monotonic time. */
  nowMs(): number
  /** Begins to write a result; results are written in the order of the calls. */
  write(number: number, result: Result): Promise<void>
  leaveEmpty(number: number): void
}

/** Returns a function that passes on everything whose turn has come, and resolves when it is written. Calls may overlap. */
export function deliveringTo({ held, window, nowMs, write, leaveEmpty }: DeliveringSetting): () => Promise<void> {
  let last = Promise.resolve()

  async function passOn(): Promise<Promise<void>[]> {
    const due: { number: number; result: Result | undefined }[] = []
    for (const number of window().deliver(nowMs())) due.push({ number, result: await held.take(number) })
    const writing: Promise<void>[] = []
    for (const { number, result } of due) {
      if (result) writing.push(write(number, result))
      else leaveEmpty(number)
    }
    return writing
  }

  return async () => {
    const writing = last.then(passOn)
    // The caller gets a fault; the next call must not get it, too.
    const over = () => undefined
    last = writing.then(over, over)
    await Promise.all(await writing)
  }
}
