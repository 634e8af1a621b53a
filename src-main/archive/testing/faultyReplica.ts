/** A replica that fails at a step given by its number, so that a test can run a fault at every position: count the steps of an
 *  undisturbed run, then fail at each. An operation has a step before it and one after it, when it was carried out but has not
 *  returned; a write has another between writing and reading back. */
import { message } from '../../contract/words/message.ts'
import { DiskFault, type Clock } from '../../world/world.ts'
import { around, type Call } from '../replica/around.ts'
import type { Added, Replica } from '../replica/replica.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'

/** Damage to a copy: a flipped byte, a truncated file, or a missing one. */
export type Damage = 'flipped' | 'truncated' | 'lost'

/** Kinds of faults. `fails`: this step is a disk error. `stops`: all calls hang from then on, as after a crash. `fills`: from this step
 *  on there is no space. `leaves`: from this step on the replica is unreachable. `slows`: this step takes the given time. `damages`:
 *  the file of this step is damaged without an error. */
export type ReplicaFault =
  | { kind: 'fails' }
  | { kind: 'stops' }
  | { kind: 'fills' }
  | { kind: 'leaves' }
  | { kind: 'slows'; ms: number }
  | { kind: 'damages'; how: Damage }

export interface FaultyParts {
  inner: Replica
  clock: Clock
  /** Number of the failing step; the first one is 1. */
  at: number
  fault: ReplicaFault
  /** Damages a file that `inner` holds, immediately; does nothing when there is no such file. */
  damage(file: string, how: Damage): void
}

export interface FaultyReplica extends Replica {
  /** Number of steps so far. */
  readonly steps: number
  /** Resolves when the replica stopped. */
  readonly stopped: Promise<void>
}

/** Wraps a replica so that the fault occurs at step `at`. */
export function faultyReplica({ inner, clock, at, fault, damage }: FaultyParts): FaultyReplica {
  let steps = 0
  let tellStopped: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => (tellStopped = resolve))
  const isOver = (kind: ReplicaFault['kind']) => fault.kind === kind && steps >= at

  /** Applies the immediate effect of a step; `step` waits where the fault slows it. */
  function strike(call: Call): void {
    steps += 1
    if (isOver('stops')) tellStopped()
    if (isOver('stops') || isOver('leaves')) throw new DiskFault('failed', inner.name)
    if (steps !== at) return
    if (fault.kind === 'fails') throw new DiskFault('failed', inner.name)
    if (fault.kind === 'damages' && call.file !== undefined) damage(call.file, fault.how)
  }

  async function step(call: Call): Promise<void> {
    strike(call)
    if (fault.kind === 'slows' && steps === at) await clock.sleep(fault.ms)
  }

  async function stepped<T>(call: Call, act: () => Promise<T>): Promise<T> {
    try {
      await step(call)
      const value = await act()
      await step(call)
      return value
    } catch (error) {
      if (isOver('stops')) return new Promise<T>(() => undefined)
      throw error
    }
  }

  const stepping = around(inner, stepped)
  return {
    ...stepping,
    get steps() {
      return steps
    },
    stopped,
    problem: () =>
      stepping.problem().catch((error: unknown) => {
        if (!(error instanceof DiskFault)) throw error
        return message('replica.failed', { replica: inner.name, reason: error.message })
      }),
    freeBytes: () =>
      stepping
        .freeBytes()
        .then((bytes) => (isOver('fills') ? 0 : bytes))
        .catch(undefinedOnFault),
    leftovers: () => stepping.leftovers().catch((error: unknown) => undefinedOnFault(error) ?? []),
    removeLeftover: (file) => stepping.removeLeftover(file).catch(undefinedOnFault),
    add: (file, options) =>
      stepped({ operation: 'add', file: file.name }, async (): Promise<Added> => {
        if (isOver('fills'))
          return { kind: 'refused', code: 'noSpace', message: message('disk.full', { path: inner.folder }) }
        return inner.add(file, {
          ...options,
          onWritten() {
            strike({ operation: 'add', file: file.name })
            options?.onWritten?.()
          },
        })
      }),
  }
}
