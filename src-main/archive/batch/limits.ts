/** The bounds of batch jobs, each with its unit in its name and its reason in the comment. It is not known what the module of a batch
 *  job does, so everything that it could have too much of ends somewhere. */

export interface BatchLimits {
  /** Of each thread's JavaScript heap. What a module keeps in buffers lies outside of it and is not counted by Node. */
  heapBytesMax: number
  /** A module that was told to stop gets this long to end by itself before its thread is ended. */
  stopMsMax: number
}

export const defaultBatchLimits: BatchLimits = { heapBytesMax: 512 * 2 ** 20, stopMsMax: 1_000 }

/** NetarchiveSuite's `maxExceptions`: a module that fails this often fails at everything. */
export const failedFilesDefault = 100
/** Threads of one run: more only wait for the same disk. */
export const lanesMax = 8
/** Runs at once: each may have a heap for every thread. */
export const runsCountMax = 2
/** Runs shown, newest first. */
export const runsShownMax = 200
/** Loading a module and its start get at least this long, however short a file's time is: they are done once. */
export const beginMsMin = 60_000
/** Files of one run; each takes its name in memory while the run lasts. */
export const runFilesMax = 1_000_000
/** Names fetched from the catalogue at a time, between which others get a turn. */
export const namesPageCount = 1_000
/** Files that may be done before an earlier one is: the output of each waits, `heldCountMax` characters in memory, else on
 *  the disk. */
export const aheadMax = 2_000
export const heldCountMax = 4_096
/** What is gathered before one write. */
export const writtenAtOnceCount = 65_536
/** Of one error: its sentence and where it came from. */
export const failureCountMax = 4_096
/** Remarks of one file, and of them together what is kept. */
export const remarksMax = 200
export const remarkCountMax = 1_024
/** Files whose errors and remarks are written out; all are counted. */
export const accountsMax = 10_000
/** A run's file is called after its module, whose name may be of any length. */
export const nameCountMax = 60
