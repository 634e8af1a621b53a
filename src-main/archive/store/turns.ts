/** Acts under one name, one after the other. */

/** Makes the queue. An act begins when the last one under its name has ended, whether that succeeded or failed. */
export function turns(): <T>(name: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, act) => {
    // How the act before ended is reported to its own caller.
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
