/** Limits of an export, each with its reason. */

/**
 * Originals of selected revisits that are searched for at once: some 400 bytes each. Deduplicated archives of a hundred million captures
 * have fewer different ones in any selection that users export.
 */
export const originalsMax = 200_000

/**
 * Record IDs of selected captures that are held in memory, so that requests and metadata that refer to their capture only by ID are found:
 * some 120 bytes each. Nearly all refer to it by URL and time too.
 */
export const idsMax = 1_000_000

/**
 * Duplicates with originals in one file that are written at once: some 500 bytes each. Opening the file once more for each batch takes far
 * less time than writing the batch.
 */
export const duplicatesAtOnceMax = 1_000

/** Interval between progress reports: users notice no more than a few changes a second. */
export const reportEveryMs = 250

/** Bytes that must stay free where the export is written: a full disk affects other programs too. */
export const freeBytesMin = 100_000_000

/** Bytes copied at once from an archive file, and bytes of rows buffered before a write. */
export const copiedBytes = 256 * 1024

/** Bytes of a page that are searched for its title: titles are in the first kilobytes, after scripts in the first hundred. */
export const pageBytesMax = 512 * 1024
