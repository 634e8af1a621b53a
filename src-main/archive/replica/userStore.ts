/** A store of the user: what a module returns that keeps copies in a place that is no folder, such as an object store or another
 *  institution. `docs/modules.md` describes it. Its functions may throw anything; that is a fault of the store and never a bug. */
import { unlessAborted } from '../../world/unlessAborted.ts'
import { message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { ArchiveFault } from '../files/archiveFault.ts'

/** Functions of a store. Names are those of files, or such names after `attic/`. */
export interface UserStore {
  /** All names with their lengths in bytes. */
  list(): AsyncIterable<{ name: string; bytes: number }> | Iterable<{ name: string; bytes: number }>
  /** The length of an object; undefined or null if there is none. */
  stat(name: string): unknown
  /** Stores an object whose name is free. The name exists only once all bytes are stored durably; if reading `bytes` fails, it never does. */
  write(name: string, bytes: AsyncIterable<Uint8Array>, context: { length: number; signal: AbortSignal }): unknown
  /** The bytes of an object from an offset on; the caller stops reading when it has enough. */
  read(name: string, context: { from: number; signal: AbortSignal }): AsyncIterable<Uint8Array>
  /** Gives an object another name, which is free. */
  move(from: string, to: string): unknown
  /** Bytes that may still be stored; absent or undefined: unknown. */
  freeBytes?(): unknown
}

/** Functions that a store must have. */
export const storeFunctions = ['list', 'stat', 'write', 'read', 'move'] as const

/** A fault that is not of the store, such as one of the source that is written to it. */
export class OutsideFault extends Error {}

/** Runs a function of the store until the signal aborts. What it throws becomes an `ArchiveFault` unreachable about the replica. */
export async function ofStore<T>(
  replica: string,
  act: () => T | PromiseLike<T>,
  signal?: AbortSignal,
): Promise<Awaited<T>> {
  try {
    return await unlessAborted((async () => act())(), signal)
  } catch (error) {
    if (error instanceof OutsideFault) throw error.cause
    if (signal?.aborted) throw signal.reason
    throw new ArchiveFault('unreachable', message('replica.module.failed', { replica, problem: messageOf(error) }))
  }
}
