/** Actions that the end of the engine waits for. */

export interface AwaitedActions {
  /** Registers an action and returns its result. */
  add<T>(action: Promise<T>): Promise<T>
  /** Resolves when all registered actions have ended. Their failures are for their callers. */
  ended(): Promise<void>
}

/** Makes an empty set of actions. `onEnd` is called after each action, also after one that failed. */
export function awaitedActions(onEnd: () => void): AwaitedActions {
  const actions = new Set<Promise<unknown>>()
  return {
    add(action) {
      const whole = action.finally(() => {
        actions.delete(whole)
        onEnd()
      })
      actions.add(whole)
      return whole
    },
    async ended() {
      await Promise.allSettled(actions)
    },
  }
}
