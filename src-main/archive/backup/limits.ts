/** The limits of backups, each with its unit in the name and its reason in the comment. Values that users may want to change are
 *  settings. */

/** Manifests read from one folder: hourly backups for two months. Further ones are neither listed nor removed. */
export const backupsListedMax = 1_500
/** Maximum size of a manifest: about 600 bytes and the text of loupe.toml, which is written by hand. */
export const manifestBytesMax = 1_100_000
/** Maximum size of loupe.toml in a manifest; a larger file is left out. */
export const settingsBytesMax = 1_000_000
/** Maximum size of the state file, which has one line of about 600 bytes. */
export const stateBytesMax = 100_000
/** Delay after the first failure; doubled with each further one. */
export const backupRetryMs = 600_000
/** Maximum delay: a drive that is away for a week is tried four times a day. */
export const backupRetryMsMax = 21_600_000
/** Minimum age of an overdue backup. Two scheduled backups must have been missed, and at least a day passed, as a machine may be off
 *  overnight. */
export const backupGraceMsMin = 86_400_000
/** Heap of the thread that copies and checks; SQLite keeps its pages outside of this heap. */
export const copyHeapBytesMax = 67_108_864
/** Time that closing Loupe waits for the thread to stop, before it waits for the running statement. */
export const copyStopMsMax = 5_000
