/** The limits of batch jobs, each with its unit in the name and its reason in the comment. A module may do anything, so every resource
 *  that it can exhaust is limited. */

export interface BatchLimits {
  /** Maximum JavaScript heap of each thread in bytes. Buffers are outside of the heap and not counted by Node. */
  heapBytesMax: number
  /** Milliseconds that a module has to end after a stop, before its thread is terminated. */
  stopMsMax: number
}

export const defaultBatchLimits: BatchLimits = { heapBytesMax: 512 * 2 ** 20, stopMsMax: 1_000 }

/** NetarchiveSuite's `maxExceptions`: a module that fails this often fails at everything. */
export const failedFilesDefault = 100
/** Maximum number of threads of one run: more would only wait for the same disk. */
export const lanesMax = 8
/** Maximum number of concurrent runs: each may use a heap for every thread. */
export const runsCountMax = 2
/** Runs shown, newest first. */
export const runsShownMax = 200
/** Minimum time limit for loading and starting a module, however short the limit of a file: both happen once. */
export const beginMsMin = 60_000
/** Maximum number of files of one run; each name is kept in memory during the run. */
export const runFilesMax = 1_000_000
/** Names fetched from the catalogue at a time, before other work can run. */
export const namesPageCount = 1_000
/** Number of files that may be processed ahead of an unfinished one. The output of each waits: up to `heldCountMax` characters in
 *  memory, longer output on disk. */
export const aheadMax = 2_000
/** Maximum output of one file that waits in memory, in characters. */
export const heldCountMax = 4_096
/** Characters collected before one write. */
export const writtenAtOnceCount = 65_536
/** Maximum length of one error with its stack frames, in characters. */
export const failureCountMax = 4_096
/** Maximum number of remarks of one file, and maximum length of each in characters. */
export const remarksMax = 200
/** Maximum length of one remark, in characters. */
export const remarkCountMax = 1_024
/** Number of files whose errors and remarks are written; all are counted. */
export const accountsMax = 10_000
/** Maximum length of the module's name in the names of a run's files. */
export const nameCountMax = 60
