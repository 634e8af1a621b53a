/** Limits of the work on files, each with its reason. */

/** Longest line of CDXJ: URLs in requests are at most 64 kB long, and JSON escaping may double them. A longer line is invalid. */
export const lineBytesMax = 512 * 1024

/** Bytes of one read of a file of lines, and bytes buffered before one write. */
export const readBytes = 1024 * 1024
export const writtenAtOnceBytes = 64 * 1024

/** Files of one call, found below the folders that it names: each takes some 200 bytes while the call lasts. */
export const filesMax = 1_000_000

/** Depth of folders. No folder of archives is this deep; a deeper one was made to do harm. */
export const foldersDeepMax = 100

/** Files that may be finished before an earlier one: each waits with its summary (its lines wait on the disk). */
export const aheadMax = 200

/** Bytes of a file read between two progress reports: some twenty reports a second and core. */
export const reportedBytes = 4 * 1024 * 1024

/**
 * Bytes of lines sorted at once in memory; with the overhead of the JavaScript engine this takes about twice as much. Larger runs sort no
 * faster, and with this many bytes a run the merge remains one pass up to 8 GB of lines.
 */
export const runBytesMax = 64 * 1024 * 1024

/** Runs merged at once: each is an open file with a buffer of `runReadBytes`. */
export const runsMergedMax = 128
export const runReadBytes = 64 * 1024

/**
 * Records examined for one page of a record list: a search for a rare type in a large file is done in steps of this many, so that the
 * caller gets a result about every second.
 */
export const pageRecordsMax = 20_000

/**
 * Places of one archive file that its index lines list one by one as unreadable: in a file that is damaged throughout, the first ones
 * suffice.
 */
export const quarantinedMax = 1_000

/** Findings of one page: in a file that is damaged throughout, the first ones suffice. */
export const pageFindingsMax = 500

/**
 * Bytes of a payload that is displayed: the limit both for the part kept as it is in the file, and for the result of undoing its content
 * coding.
 */
export const payloadBytesMax = 8 * 1024 * 1024
export const decodedBytesMax = 16 * 1024 * 1024

/** Bytes of a record displayed as text: users read no more; the rest is available as a page or a file. */
export const textBytesMax = 64 * 1024
export const hexBytesMax = 4 * 1024

/** Start positions of pages of record lists: some hundred bytes each, searched for every page. */
export const positionsMax = 2_000
