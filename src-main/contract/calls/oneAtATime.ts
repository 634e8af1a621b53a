/** Makes a queue for work that must not overlap. Each call begins when the calls before it have ended, whatever their result, and returns
 *  the result of its own work. */
export function oneAtATime(): <Value>(work: () => Value | Promise<Value>) => Promise<Value> {
  let before: Promise<void> = Promise.resolve()
  return (work) => {
    const turn = before.then(work)
    // Neither the result nor the error is for the next call.
    const over = (): void => undefined
    before = turn.then(over, over)
    return turn
  }
}
