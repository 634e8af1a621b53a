/** Records what each operation of a replica did in this process: count, bytes, duration and the last failure. Refusals count as
 *  failures. */
import { message, type Message } from '../../contract/words/message.ts'
import { stopwatch } from '../../world/stopwatch.ts'
import type { Clock } from '../../world/world.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import { around, type Call, type Operation } from './around.ts'
import type { Added, Replica } from './replica.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

export interface OperationHistory {
  count: number
  failures: number
  /** Bytes of whole files written, or read to compute their checksum. */
  bytes: number
  durationMs: number
}

export interface ReplicaFailure {
  atMs: number
  operation: Operation
  file: string | null
  message: Message
}

export interface ReplicaHistory {
  operations: Partial<Record<Operation, OperationHistory>>
  lastFailure: ReplicaFailure | undefined
}

export interface ObservedReplica extends Replica {
  history(): ReplicaHistory
}

/** Wraps a replica so that its operations are counted. The counts start at zero in every process. */
export function observed(inner: Replica, clock: Clock): ObservedReplica {
  const operations = new Map<Operation, OperationHistory>()
  let lastFailure: ReplicaFailure | undefined

  function note({ operation, file }: Call, durationMs: number, done: { bytes: number; failure?: Message | undefined }) {
    const before = operations.get(operation) ?? { count: 0, failures: 0, bytes: 0, durationMs: 0 }
    operations.set(operation, {
      count: before.count + 1,
      failures: before.failures + (done.failure === undefined ? 0 : 1),
      bytes: before.bytes + done.bytes,
      durationMs: before.durationMs + durationMs,
    })
    if (done.failure !== undefined)
      lastFailure = { atMs: clock.now(), operation, file: file ?? null, message: done.failure }
  }

  async function watched<T>(
    call: Call,
    act: () => Promise<T>,
    said: (value: T) => { bytes: number; failure?: Message | undefined },
  ) {
    const durationMs = stopwatch(clock)
    try {
      const value = await act()
      note(call, durationMs(), said(value))
      return value
    } catch (error) {
      // A stop by the user is not a failure.
      const isStopped = call.signal?.aborted ?? false
      note(call, durationMs(), { bytes: 0, failure: isStopped ? undefined : failureIn(error) })
      throw error
    }
  }

  return {
    ...around(inner, (call, act) => watched(call, act, () => ({ bytes: 0 }))),
    problem: () =>
      watched(
        { operation: 'problem' },
        () => inner.problem(),
        (failure) => ({ bytes: 0, failure }),
      ),
    add: (file, options) =>
      watched(
        { operation: 'add', file: file.name, signal: options?.signal },
        () => inner.add(file, options),
        (added) => ({ bytes: added.kind === 'added' ? file.bytes : 0, failure: failureOf(added, file.name) }),
      ),
    checksum: (file, options) =>
      watched(
        { operation: 'checksum', file, signal: options?.signal },
        () => inner.checksum(file, options),
        (found) => ({ bytes: found?.bytes ?? 0 }),
      ),
    history: () => ({ operations: Object.fromEntries(operations), lastFailure }),
  }
}

/** An unexpected error has only its own text. */
function failureIn(error: unknown): Message {
  return isArchiveOrDiskFault(error) ? reasonIn(error) : message('text', { text: messageOf(error) })
}

function failureOf(added: Added, name: string): Message | undefined {
  if (added.kind === 'added') return undefined
  if (added.kind === 'differs') return message('replica.differsAfterWrite', { name })
  return added.message
}
