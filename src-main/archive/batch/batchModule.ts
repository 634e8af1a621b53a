/** The interface of a batch module: its exports and its context. */
import type { BatchFile } from './batchFile.ts'

/** Functions that a module can use while it processes a file. */
export interface BatchContext {
  /** Writes to the output, in the order of the files. Resolves when more can be written. Output of a file that fails is discarded. */
  write(text: string): Promise<void>
  /** Adds a sentence about the file to the errors without marking the file as failed. */
  remark(text: string): void
  /** Aborted when the run is stopped or exceeds its time limit. */
  signal: AbortSignal
}

/** Exports of a module. */
export interface BatchModule {
  processFile(file: BatchFile, context: BatchContext): unknown
  /** Called in each thread before its first file. Output of the first thread's call is written once at the start of the output; that
   *  of the others is discarded. */
  start?(context: BatchContext): unknown
  /** Called after the last file. A module with this function collects data over all files, so it runs in a single thread. */
  finish?(context: BatchContext): unknown
  /** Number of failed files after which the run stops; 100 by default. */
  maxExceptions?: number
}

/** Checks the exports of a module. Throws with the reason as a sentence when they are invalid. */
export function checkedModule({ processFile, start, finish, maxExceptions }: Record<string, unknown>): BatchModule {
  if (typeof processFile !== 'function') throw new Error('it exports no function processFile(file, context)')
  for (const [name, found] of Object.entries({ start, finish }))
    if (found !== undefined && typeof found !== 'function') throw new Error(`its ${name} is not a function`)
  if (maxExceptions !== undefined && !(Number.isSafeInteger(maxExceptions) && Number(maxExceptions) > 0))
    throw new Error('its maxExceptions is not a whole number from 1 on')
  return { processFile, start, finish, maxExceptions } as BatchModule
}
