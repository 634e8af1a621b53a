/** Limits of an import. */

/** Findings of one rule in one file that are kept with their place. More of them usually have the same cause. */
export const findingsPerRuleMax = 100

/** Files that are imported at the same time. The thread pool is limited to one thread per core; a few more files keep it busy
 *  while others wait for the disk, and each takes a few megabytes of memory. */
export const filesAtOnceMax = 16

/** Interval between progress updates. Each costs a commit, and a progress bar needs no more. */
export const progressEveryMs = 400

/** Interval between updates of the task of an import. Each costs a write. */
export const taskProgressEveryMs = 2_000

/** Pages of an import that are offered as its seeds, where viewing can begin. */
export const seedsMax = 5

/** Size of a metadata document of a package, such as pages.jsonl with the text of its pages. The largest that Browsertrix wrote
 *  in the test corpora have some megabytes; the limit is needed because a zip entry may inflate to any size. */
export const documentBytesMax = 256 * 1024 * 1024

/** Archive files, and likewise documents, that are taken out of one package: each is a row of the database. */
export const partsMax = 100_000

/** Bytes per read of a copy, as for the archive's own copies. */
export const copyChunkBytes = 1024 * 1024

/** Index lines of a file that are searched for its first pages. A file that holds only images has none. */
export const pageLinesMax = 10_000

/** Size of a decompressed HAR, since gzip may inflate to any size. The largest that browsers save have some hundred megabytes. */
export const unpackedHarBytesMax = 4 * 1024 * 1024 * 1024
