/** What the module of a batch job exports, and what it is given. */
import type { BatchFile } from './batchFile.ts'

export interface BatchContext {
  /** Into the output, in the order of the files. Resolves when it is time for more. What a file wrote before it failed is
   *  left out. */
  write(text: string): Promise<void>
  /** Adds a sentence about this file to the errors, without making the file a failed one. */
  remark(text: string): void
  /** Aborted when the run is stopped or its time is over. */
  signal: AbortSignal
}

export interface BatchModule {
  processFile(file: BatchFile, context: BatchContext): unknown
  /** Before the first file of each thread. What the first thread writes stands at the top of the output, once. */
  start?(context: BatchContext): unknown
  /** After the last file. A module that has it gathers something over all files, so it gets one thread. */
  finish?(context: BatchContext): unknown
  /** Failed files after which the run stops; 100 by default. */
  maxExceptions?: number
}

/** Throws when it is none, with the reason as a sentence. */
export function checkedModule({ processFile, start, finish, maxExceptions }: Record<string, unknown>): BatchModule {
  if (typeof processFile !== 'function') throw new Error('it exports no function processFile(file, context)')
  for (const [name, found] of Object.entries({ start, finish }))
    if (found !== undefined && typeof found !== 'function') throw new Error(`its ${name} is not a function`)
  if (maxExceptions !== undefined && !(Number.isSafeInteger(maxExceptions) && Number(maxExceptions) > 0))
    throw new Error('its maxExceptions is not a whole number from 1 on')
  return { processFile, start, finish, maxExceptions } as BatchModule
}
