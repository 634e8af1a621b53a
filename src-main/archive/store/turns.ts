/** Queues that run the actions on one name one after the other. */

/** Creates the queues. An action starts when the previous one under its name has ended, whether it succeeded or failed. */
export function turns(): <T>(name: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, act) => {
    // The outcome of the previous action is reported to its own caller.
    const mine = (last.get(name) ?? Promise.resolve()).then(act, act)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}

export type InTurn = ReturnType<typeof turns>
