/** A replica that does wrong at a step chosen by its number, so that a test can drive a fault through every position there
 *  is: count the steps of an undisturbed run, then break each. An operation has a step before it and one behind it, where
 *  its action is done and its answer is still to come; a writing has one more between the writing and the reading again. */
import { DiskFault, type Clock } from '../../world/world.ts'
import { around, type Call } from '../replica/around.ts'
import type { Added, Replica } from '../replica/replica.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'

export type Damage = 'flipped' | 'truncated' | 'lost'

/** `fails`: this step is an error of the disk. `stops`: nothing comes back any more, as after a kill. `fills`: from now on
 *  there is no space. `leaves`: from now on it cannot be reached. `slows`: this step takes so long. `damages`: what lies
 *  under the name that this step is about is no longer what it was, in silence. */
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
  /** The first is number 1. */
  at: number
  fault: ReplicaFault
  /** Does the damage to what `inner` holds, at once; nothing where it holds no such file. */
  damage(file: string, how: Damage): void
}

export interface FaultyReplica extends Replica {
  /** Made so far. */
  readonly steps: number
  /** Resolves when it stopped. */
  readonly stopped: Promise<void>
}

export function faultyReplica({ inner, clock, at, fault, damage }: FaultyParts): FaultyReplica {
  let steps = 0
  let tellStopped: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => (tellStopped = resolve))
  const isOver = (kind: ReplicaFault['kind']) => fault.kind === kind && steps >= at

  /** What happens at once at a step; the caller of `wait` waits out the rest. */
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
        return `replica ${inner.name} cannot be used: ${error.message}`
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
        if (isOver('fills')) return { kind: 'refused', code: 'noSpace', text: `no space in replica ${inner.name}` }
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
