/** An output that jobs share under the name of a connection: at most as many of them write at once as the connection allows. */
import type { Output } from './connector.ts'

/** Places of one output connection. */
export interface OutputPlaces {
  /** Resolves when the caller has a place, with the function that gives it back. It may be called more than once. */
  take(): Promise<() => void>
}

/** The places of all output connections, by name. */
export interface SharedOutputs {
  /** Joins a connection. `most` is its bound from now on, for the jobs that joined before as well. */
  join(name: string, most: number): OutputPlaces
}

interface Shared {
  most: number
  taken: number
  /** Callers without a place, in the order in which they came. */
  waiting: (() => void)[]
}

/** Opens the places; none is taken. */
export function sharedOutputs(): SharedOutputs {
  const all = new Map<string, Shared>()
  return {
    join(name, most) {
      const shared = all.get(name) ?? { most, taken: 0, waiting: [] }
      shared.most = most
      all.set(name, shared)
      admit(shared)
      return { take: () => placeIn(shared) }
    },
  }
}

function admit(shared: Shared): void {
  while (shared.taken < shared.most && shared.waiting.length > 0) {
    shared.taken += 1
    shared.waiting.shift()?.()
  }
}

function placeIn(shared: Shared): Promise<() => void> {
  return new Promise((resolve) => {
    let isHeld = true
    const giveBack = () => {
      if (!isHeld) return
      isHeld = false
      shared.taken -= 1
      admit(shared)
    }
    shared.waiting.push(() => resolve(giveBack))
    admit(shared)
  })
}

/** Wraps an output so that a job has a place from `keep` to `commit` or `abandon`. */
export function withPlaces(output: Output, places: OutputPlaces): Output {
  let giveBack: () => void = () => undefined
  return {
    ...output,
    async keep(records) {
      if (records.length === 0) return output.keep(records)
      giveBack = await places.take()
      return output.keep(records)
    },
    commit(count) {
      output.commit(count)
      giveBack()
    },
    async abandon() {
      await output.abandon().finally(giveBack)
    },
  }
}
