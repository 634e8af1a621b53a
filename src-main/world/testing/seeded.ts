/** The counterpart of the real world for tests and simulation: the same interface, virtual time, repeatable chance, a disk and
 *  a network in memory, and controls to make them fail. The seed determines the whole run, so it replays a failure.
 *
 *    const world = seededWorld({ seed: 7 })
 *    world.network.serve('site.test', 80, async (connection) => { … })
 *    const outcome = await world.run(fetchDocument(world, document))
 *    const again = world.crash() // start again with the content that the disk has kept
 *
 *  The database is not part of it: it belongs to `storage`, and SQLite gives its own guarantees. */
import { seededChance, type SeededChance } from './seededChance.ts'
import { seededDevice, seededDisk, type Device, type DiskControls } from './seededDisk.ts'
import { machine, type Machine } from './seededMachine.ts'
import { seededInternet, seededNetwork, type Internet, type NetworkControls } from './seededNetwork.ts'
import { seededPrograms, type ProgramControls } from './seededPrograms.ts'
import { seededThreads } from './seededThreads.ts'
import { seededClock, seededTime, type SeededTime } from './seededTime.ts'
import type { Disk, Network, Programs, World } from '../world.ts'

/** A seeded world and its controls. */
export interface SeededWorld extends World {
  readonly disk: Disk & DiskControls
  readonly network: Network & NetworkControls
  readonly programs: Programs & ProgramControls
  /** Number of calls made on this machine so far. To cut the power inside a run, count the calls of an undisturbed run first. */
  readonly calls: number
  /** The event loop: drives the world until `promise` settles. Throws when nothing can settle it any more. */
  run<T>(promise: Promise<T>): Promise<T>
  /** Like `run`, but cuts the power at the `calls`-th call on this world; the result is then undefined. */
  runUntilCut<T>(promise: Promise<T>, calls: number): Promise<{ value: T } | undefined>
  /** Simulates that the machine's clock is set, or that a Linux machine wakes from a suspend: from now on it shows `byMs`
   *  more, or less, and the monotonic clock is unaffected. */
  setClock(byMs: number): void
  /** Simulates a suspend that both clocks have counted, as on macOS and Windows. */
  suspend(durationMs: number): void
  /** Calls `act` just before the `calls`-th call from now on this world, unless its power is cut first: in the middle of the
   *  code that makes that call. */
  beforeCall(calls: number, act: () => void): void
  /** Cuts the power. Promises of this world never settle afterwards; the disk keeps what was synced, and a random part of the
   *  rest. The returned world is the same machine switched on again: same disk, network, chance, time. */
  crash(): SeededWorld
}

/** 2026-01-01: a day without changes in any time zone, so that no test is affected by one accidentally. */
const startMsUsual = Date.UTC(2026, 0, 1)

/** Longest duration of a call on the disk: enough to let concurrent calls overtake each other. */
const diskMsMax = 2

/** The parts that a power cut does not affect. */
interface WorldParts {
  time: SeededTime
  /** Each part draws from a stream of its own. */
  engineChance: SeededChance
  diskChance: SeededChance
  powerChance: SeededChance
  device: Device
  internet: Internet
  programs: Programs & ProgramControls
}

/** Returns a new world. `startMs` is the initial time, in milliseconds since 1970 UTC. */
export function seededWorld({ seed, startMs = startMsUsual }: { seed: number; startMs?: number }): SeededWorld {
  const time = seededTime(startMs)
  const chance = seededChance(seed)
  return worldOn(machine(), {
    time,
    engineChance: chance.fork(),
    diskChance: chance.fork(),
    powerChance: chance.fork(),
    device: seededDevice(chance.fork(), startMs),
    internet: seededInternet(time, chance.fork()),
    programs: seededPrograms(),
  })
}

function worldOn(computer: Machine, parts: WorldParts): SeededWorld {
  const { time, engineChance, diskChance, powerChance, device, internet, programs } = parts
  const clock = seededClock(time)
  const step = <T>(act: () => T) =>
    computer.does(async () => {
      const delayMs = diskChance.below(diskMsMax * 1000) / 1000
      try {
        return act()
      } finally {
        await new Promise<void>((resolve) => void time.after(delayMs, resolve))
      }
    })
  const threads = seededThreads(time, () => world)
  const world: SeededWorld = {
    clock: {
      now: clock.now,
      elapsed: clock.elapsed,
      sleep: (durationMs, signal) => computer.does(() => clock.sleep(durationMs, signal)),
    },
    chance: engineChance,
    disk: withControls(seededDisk(device, step, clock.now), device),
    network: { ...seededNetwork(internet, computer), serve: internet.serve, trouble: internet.trouble },
    threads: {
      count: threads.count,
      run: (module, input, options) => computer.does(() => threads.run(module, input, options)),
      own(limits) {
        const own = threads.own(limits)
        return {
          get ended() {
            return own.ended
          },
          run: (module, input, options) => computer.does(() => own.run(module, input, options)),
          close: () => own.close(),
        }
      },
    },
    programs: { ...programs, run: (program) => computer.does(() => programs.run(program)) },
    memory: { release: () => undefined },
    operator: { account: 'curator', host: 'archive.example' },
    get calls() {
      return computer.calls
    },
    async run(promise) {
      await time.run(promise)
      return promise
    },
    async runUntilCut(promise, calls) {
      computer.cutAfter(calls)
      const ended = await time.run(promise, () => !computer.on)
      computer.cutAfter(Infinity)
      return ended === 'settled' ? { value: await promise } : undefined
    },
    setClock: time.setClock,
    suspend: time.suspend,
    beforeCall: computer.beforeCall,
    crash() {
      computer.cut()
      internet.forget(computer)
      device.tree.cutPower(powerChance)
      return worldOn(machine(), parts)
    },
  }
  return world
}

function withControls(disk: Disk, device: Device): Disk & DiskControls {
  return {
    ...disk,
    fail: device.fail,
    corrupt: device.corrupt,
    mount: device.mount,
    get freeBytesLeft() {
      return device.freeBytesLeft
    },
    set freeBytesLeft(bytes) {
      device.freeBytesLeft = bytes
    },
  }
}
