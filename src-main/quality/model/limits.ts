/** Bounds of the floor. */

/** Misses of one job. A job that lacks more is harvested again, not patched. */
export const missesPerJobMax = 200_000
/** Pages that are stored with a miss: enough to see the mistake, and to compare before and after. */
export const pagesPerMissMax = 20
/** Misses that are read or changed in one transaction, between which other calls are answered. */
export const missBatchMax = 500
/** Groups in one answer. */
export const groupsMax = 500
/** Verdicts that wait before they are written into a file of their job. */
export const unstoredVerdictsMax = 500
/** Files by which a record names a job, so that it is known again elsewhere: one of them is enough. */
export const filesNamedMax = 50
/** Pages whose results wait in the working folder before they are written to a WARC file of the job. */
export const unkeptPagesMax = 400
/** Pages of audits that are restored from the files of a job, as many as an index lists. */
export const pagesRestoredMax = 20_000
/** Times that a page is opened when the browser ended meanwhile, perhaps because of another page. */
export const visitsMax = 3
/** Width of the layout of pages, where no earlier screenshot gives another. */
export const auditWidthPx = 1_280
/** Thumbnails in a report, which is one page: some megabytes. */
export const reportThumbnailsMax = 60
/** Audits in one answer. */
export const auditsShownMax = 1_000
/** Bytes of a record about a job that are read into memory: a picture of a long page has some megabytes. */
export const recordBytesMax = 32 * 1024 * 1024
