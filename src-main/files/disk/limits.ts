/** Every bound of the work on files, with its reason. */

/** A line of CDXJ longer than this is none: URLs in requests end at 64 kB, and JSON escaping may double one. */
export const lineBytesMax = 512 * 1024

/** What one read of a file of lines takes, and what is gathered before one write. */
export const readBytes = 1024 * 1024
export const writtenAtOnceBytes = 64 * 1024

/** Files of one call, found below the folders it names: each takes some 200 bytes while the call lasts. */
export const filesMax = 1_000_000

/** No folder of archives is this deep; what is deeper was made to do harm. */
export const foldersDeepMax = 100

/** Files that may be done before an earlier one is: each waits with its summary (its lines wait on the disk). */
export const aheadMax = 200

/** How many bytes of a file are read between two reports of where it is: some twenty a second and core. */
export const reportedBytes = 4 * 1024 * 1024

/** Lines sorted at once in memory; with what the engine keeps for each it takes about twice as much. Larger runs sort no
 *  faster, and the merge of this many bytes a run stays one pass up to 8 GB of lines. */
export const runBytesMax = 64 * 1024 * 1024

/** Runs merged at once: each is an open file with a buffer of `runReadBytes`. */
export const runsMergedMax = 128
export const runReadBytes = 64 * 1024

/** Records looked at for one page of a record list: looking for a rare type in a large file is done in steps of this many,
 *  so that the caller gets a result about every second. */
export const pageRecordsMax = 20_000

/** Places of one archive file that its index lines name as unreadable, one by one: in a file where everything is wrong, the
 *  first ones say what. */
export const quarantinedMax = 1_000

/** Findings of one page: in a file where everything is wrong, the first ones say what. */
export const pageFindingsMax = 500

/** Of a payload shown to a person: what is kept of it as it lies in the file, and what may come of that when its content
 *  coding is undone. */
export const payloadBytesMax = 8 * 1024 * 1024
export const decodedBytesMax = 16 * 1024 * 1024

/** A person reads no more than this of a record; the rest is there as a page or a file. */
export const textBytesMax = 64 * 1024
export const hexBytesMax = 4 * 1024

/** Places at which pages of record lists begin: some hundred bytes each, looked through for every page. */
export const positionsMax = 2_000
