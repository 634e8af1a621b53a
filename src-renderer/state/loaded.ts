/** Answers of the engine that are loading, ready or refused. Every screen shows these three states the same way. */
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { messageOf } from '../../src-main/contract/text/messageOf.ts'

export type Loaded<Value> = { is: 'loading' } | { is: 'ready'; value: Value } | { is: 'refused'; fault: Fault }

export const loading: Loaded<never> = { is: 'loading' }

export async function loadedFrom<Value>(asked: Promise<Value>): Promise<Loaded<Value>> {
  try {
    return { is: 'ready', value: await asked }
  } catch (error) {
    return { is: 'refused', fault: faultFrom(error) }
  }
}

/** Converts anything thrown into a fault that can be shown. Anything but a fault is a bug, and is also logged with its stack. */
export function faultFrom(error: unknown): Fault {
  if (error instanceof Fault) return error
  console.error(error)
  return new Fault('internal', messageOf(error), { cause: error })
}

export function valueOf<Value>(loaded: Loaded<Value>): Value | undefined {
  return loaded.is === 'ready' ? loaded.value : undefined
}
