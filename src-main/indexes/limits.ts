/** Every bound of the indexes, with its reason. */

/** Rows sorted in memory and inserted in one transaction: sorting a batch is worth ten times the speed of the clustered
 *  table, and this many take about 40 MB. */
export const batchRows = 50_000

/** Pages that can be found by typing. Beyond it a person uses the search of the archive, not a drop-down list. */
export const pagesMax = 20_000

/** Captures of one URL that a person can be shown; a page captured each hour for a year has 8,760. */
export const capturesOfUrlMax = 10_000

/** Captures looked at on either side of the moment that is wanted: more than a reader tries one after the other. */
export const neighboursMax = 64
