/** The bounds of the reports, each with its reason beside it. */

/** Longer than a report over a million activities takes on a slow machine; beyond it the stretch of time is too long for anybody to
 *  wait. */
export const reportMsMax = 60_000
/** A thread that does not stop then is left to itself; nobody waits for it. */
export const reportStopMsMax = 500
/** Of the thread's heap: the moments of some millions of activities. */
export const reportHeapBytesMax = 1_000_000_000
/** Reports that wait for the one being made: a person looks at one, a script asks for a few. */
export const reportsWaitingMax = 16
/** Bars that leave the table below them in sight. */
export const barsMax = 12
/** Activities that are taken out of the database at a time, so that a report can be stopped between them. */
export const batchRows = 20_000
