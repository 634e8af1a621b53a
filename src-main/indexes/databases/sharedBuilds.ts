/** Builds that callers share: those that want the same index at the same time get one promise. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'

/** The indexes that are being built, or looked for, by their keys. */
export interface SharedBuilds<Built> {
  /** What is being made under this key, or else what `make` makes. */
  of(key: string, make: () => Promise<Built>): Promise<Built>
  /** Runs a build when the ones before it have ended, so an index that is ready is not held up by others. */
  inTurn<Value>(build: () => Promise<Value>): Promise<Value>
  /** Whether any index is being built, or looked for. */
  readonly isBuilding: boolean
  /** Resolves when nothing is being written. */
  over(): Promise<void>
}

/** Makes the set of builds; none is running. */
export function sharedBuilds<Built>(): SharedBuilds<Built> {
  const making = new Map<string, Promise<Built>>()
  const inTurn = oneAtATime()
  return {
    of(key, make) {
      const begun = making.get(key)
      if (begun) return begun
      const made = make().finally(() => making.delete(key))
      making.set(key, made)
      return made
    },
    inTurn,
    get isBuilding() {
      return making.size > 0
    },
    async over() {
      await Promise.allSettled(making.values())
      await inTurn(() => undefined)
    },
  }
}
