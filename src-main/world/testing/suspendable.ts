/** A machine that can be suspended while others go on: what it waits for arrives when it wakes up. Disk, network and clock are those of the
 *  given world, so that two machines can share them. */
import type { Connection, Disk, WritableFile, World } from '../world.ts'

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

  const connection = (made: Connection): Connection =>
    held(made, { read: (signal) => whenAwake(made.read(signal)), write: (bytes) => whenAwake(made.write(bytes)) })

  const file = (made: WritableFile): WritableFile =>
    held(made, {
      append: (chunks) => whenAwake(made.append(chunks)),
      truncate: (length) => whenAwake(made.truncate(length)),
      sync: () => whenAwake(made.sync()),
    })

  const disk: Disk = {
    ...shared.disk,
    openWrite: async (path, how) => file(await whenAwake(shared.disk.openWrite(path, how))),
    openRead: (path) => whenAwake(shared.disk.openRead(path)),
    stat: (path) => whenAwake(shared.disk.stat(path)),
    list: (path) => whenAwake(shared.disk.list(path)),
    rename: (from, to) => whenAwake(shared.disk.rename(from, to)),
    remove: (path) => whenAwake(shared.disk.remove(path)),
    syncFolder: (path) => whenAwake(shared.disk.syncFolder(path)),
  }

  return {
    world: {
      ...shared,
      disk,
      clock: {
        now: () => shared.clock.now(),
        elapsed: () => shared.clock.elapsed(),
        sleep: (ms, signal) => whenAwake(shared.clock.sleep(ms, signal)),
      },
      network: {
        connect: async (target, signal) => connection(await whenAwake(shared.network.connect(target, signal))),
      },
    },
    suspend() {
      awake = new Promise((resolve) => (wake = resolve))
    },
    wake: () => wake?.(),
  }
}

/** The object with other methods; all others, and its properties as they are then, are its own. */
function held<T extends object>(made: T, methods: Partial<T>): T {
  return new Proxy(made, {
    get(target, name) {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
