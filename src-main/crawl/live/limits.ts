/** The bounds of live control, each with its reason beside it. */

/** A look over the whole queue is one step: what it is told it does not hear. */
export const stopMsMax = 50
/** The numbers of some millions of documents. */
export const chooseHeapBytesMax = 500_000_000
/** Addresses that are read for matching at a time. */
export const batchRows = 20_000
/** Documents that are looked through for spent budgets at a time, and may be left out in one transaction: some milliseconds,
 *  as a commit. */
export const sweptCountMax = 2_000
/** All that waits is looked through for spent budgets no more often than this: there may be millions of it, and what is given its
 *  turn meanwhile is left out then. */
export const sweptEveryMs = 10_000
/** Hosts shown, those with most to do first: more than anybody reads, and not the hundred thousand of a crawl of the Web. */
export const hostsMax = 5_000
/** Documents shown of the front of the queue. */
export const headMax = 50
/** A host that nothing was fetched from for so long has no pace. */
export const paceMs = 60_000
