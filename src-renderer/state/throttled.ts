/** Runs `work` at once, then at most once in `delayMs`, and always once after the last call, because the engine may report many times a
 *  second. */
export interface Throttled {
  (): void
  cancel(): void
}

export function throttled(work: () => void, delayMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  function rest(): void {
    timer = setTimeout(() => {
      timer = undefined
      if (!again) return
      again = false
      work()
      rest()
    }, delayMs)
  }
  const run = (): void => {
    if (timer !== undefined) {
      again = true
      return
    }
    work()
    rest()
  }
  return Object.assign(run, {
    cancel: () => {
      clearTimeout(timer)
      timer = undefined
      again = false
    },
  })
}
