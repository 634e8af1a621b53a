/** Bounds of the floor. */

/** Misses of one job. A job that lacks more is harvested again, not patched. */
export const missesPerJobMax = 200_000
/** Pages that are stored with a miss: enough to see the mistake, and to compare before and after. */
export const pagesPerMissMax = 20
/** Misses that are read or changed in one transaction, between which other calls are answered. */
export const missBatchMax = 500
/** Groups in one answer. */
export const groupsMax = 500
/** Files by which a record names a job, so that it is known again elsewhere: one of them is enough. */
export const filesNamedMax = 50
/** Bytes of a record about a job that are read into memory: a picture of a long page has some megabytes. */
export const recordBytesMax = 32 * 1024 * 1024
