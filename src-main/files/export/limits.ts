/** Every bound of an export, with its reason. */

/** Originals that selected revisits refer to, looked for in one go: some 400 bytes each. Deduplicated archives of a hundred
 *  million captures have fewer different ones in any selection that a person takes out. */
export const originalsMax = 200_000

/** Record IDs of selected captures that are remembered, so that requests and metadata which only say by ID to what they
 *  belong are found: some 120 bytes each. Nearly all say it by address and moment too. */
export const idsMax = 1_000_000

/** Duplicates whose originals lie in one file, written in one go: some 500 bytes each. */
export const duplicatesAtOnceMax = 50_000

/** A person sees no more than a few changes a second. */
export const reportEveryMs = 250

/** Bytes that must stay free where the export is written: a full disk stops more than Loupe. */
export const freeBytesMin = 100_000_000

/** Copied at once from an archive file, and gathered before a write of rows. */
export const copiedBytes = 256 * 1024

/** Of a page, what its title is looked for in: titles stand in the first kilobytes, after scripts in the first hundred. */
export const pageBytesMax = 512 * 1024
