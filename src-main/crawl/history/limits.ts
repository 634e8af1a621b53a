/** Limits of the reports. */

/** Time limit of a report. A report on a million activities takes less on a slow machine. */
export const reportMsMax = 60_000
/** How long closing waits for the thread to stop; after that, it is left to finish. */
export const reportStopMsMax = 500
/** Heap of the thread: room for the times of some millions of activities. */
export const reportHeapBytesMax = 1_000_000_000
/** Reports that are queued or being made: a user opens one at a time, a script a few. */
export const reportsWaitingMax = 16
/** Bars of a chart, few enough to keep the table below it in view. */
export const barsMax = 12
/** Activities read from the database at a time; a report can be stopped between batches. */
export const batchRows = 20_000
