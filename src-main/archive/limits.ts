/** The bounds of the archive, each with its unit in its name and its reason beside it. What a person may want to turn is
 *  in `ArchiveLimits`; what only protects the machine is a constant. */

export interface ArchiveLimits {
  /** Bytes that must stay free on a replica's disk after a file was stored: a full disk stops more than Loupe. */
  freeBytesMin: number
  /** Copies made again in one `store` when the copy that was just made is not there: the seed's `uploadRetries`. */
  uploadRetries: number
  /** A check reads no faster than this, all its threads together; 0 is as fast as the disks give. */
  checkBytesPerSecondMax: number
}

export const defaultArchiveLimits: ArchiveLimits = {
  freeBytesMin: 500_000_000,
  uploadRetries: 1,
  checkBytesPerSecondMax: 0,
}

/** One mebibyte is where larger buffers stop making SHA-256 over a file faster (1.6 GB/s; 64 KiB gives 1.2). */
export const bufferBytes = 1_048_576
/** Progress is told no more often than a person can read it. */
export const progressEveryMs = 250
/** Files of one check that are hashed at the same time: as many as the smallest machine has cores. */
export const checkThreadsMax = 2
/** Items of a check fetched from the database at a time. */
export const checkBatchCount = 64
/** Checks shown, newest first. */
export const checksCountMax = 200
/** Exports shown, newest first. */
export const exportsCountMax = 200
/** Findings given in one answer; whoever has more has one problem, not ten thousand. */
export const findingsCountMax = 10_000
/** File names may have 255 bytes on every file system we know; the rest is for the prefix and suffix of temporary files. */
export const nameLengthMax = 200
/** Entries of a folder without a mark that are looked up in the catalogue to recognise the folder. */
export const recognitionCountMax = 1_000
