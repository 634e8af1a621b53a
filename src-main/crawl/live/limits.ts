/** Limits of live control. */

/** How long closing waits for a thread to stop. A scan of the whole queue is one step and does not react to the request. */
export const stopMsMax = 50
/** Heap of a thread: room for the ids of some millions of documents. */
export const chooseHeapBytesMax = 500_000_000
/** Rows that are read or changed per statement. */
export const batchRows = 20_000
/** Queued documents that are checked against spent budgets at a time, and may be excluded in one transaction. This takes some
 *  milliseconds, like a commit. */
export const sweptCountMax = 2_000
/** Minimum time between two scans of the queue for spent budgets. The queue may hold millions; documents that are handed out
 *  meanwhile are excluded at that time. */
export const sweptEveryMs = 10_000
/** Hosts listed, those with the most queued documents first. A broad crawl may have a hundred thousand. */
export const hostsMax = 5_000
/** Documents listed from the front of the queue. */
export const headMax = 50
/** Time constant of the pace of a host; a host from which nothing was fetched for this long has a pace of 0. */
export const paceMs = 60_000
