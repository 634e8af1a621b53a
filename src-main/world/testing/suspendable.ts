/** A machine that can be suspended while others go on: whatever it waits for arrives when it wakes up. Disk, network, threads and clock are those
 *  of the given world, so that two machines can share them. Work that has begun on them goes on, as that of another machine or of a disk
 *  with its own memory would; the machine begins no further work, because it waits for the outcome. */
import type { Connection, Disk, OwnThread, Programs, ReadableFile, Threads, WritableFile, World } from '../world.ts'

/** The machine, and its control. */
export interface SuspendableWorld {
  world: World
  suspend(): void
  wake(): void
}

/** Makes a machine in a world. */
export function suspendable(shared: World): SuspendableWorld {
  let awake = Promise.resolve()
  let wake: (() => void) | undefined

  /** Passes on the outcome of an operation, not before the machine is awake. */
  async function whenAwake<T>(operation: Promise<T>): Promise<T> {
    try {
      return await operation
    } finally {
      await awake
    }
  }

  /** Returns the object with all its methods held back: a promise that one of them returns settles only while the machine is awake. */
  function held<T extends object>(made: T, others: Partial<T> = {}): T {
    return new Proxy(made, {
      get(target, name) {
        const value: unknown = Reflect.get(others, name) ?? Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const outcome: unknown = Reflect.apply(value, target, given)
          return outcome instanceof Promise ? whenAwake(outcome) : outcome
        }
      },
    })
  }

  const { disk, network, threads, programs, clock } = shared
  const heldDisk = held<Disk>(disk, {
    openWrite: async (path, how) => held<WritableFile>(await disk.openWrite(path, how)),
    openRead: async (path) => held<ReadableFile>(await disk.openRead(path)),
    async *pages(folder) {
      for await (const page of disk.pages(folder)) {
        await awake
        yield page
      }
    },
  })

  return {
    world: {
      ...shared,
      disk: heldDisk,
      clock: held(clock),
      network: held(network, {
        connect: async (target, signal) => held<Connection>(await network.connect(target, signal)),
      }),
      threads: held<Threads>(threads, { own: (limits) => held<OwnThread>(threads.own(limits)) }),
      programs: held<Programs>(programs),
    },
    suspend() {
      awake = new Promise((resolve) => (wake = resolve))
    },
    wake: () => wake?.(),
  }
}
