/** The bounds of backups, each with its unit in its name and its reason. What a user may want to change is a setting. */

/** Manifests read of one folder: a backup every hour for two months. What is beyond that is not listed, and never removed. */
export const backupsListedMax = 1_500
/** A manifest has some 600 bytes and the text of loupe.toml, which is written by hand. */
export const manifestBytesMax = 1_100_000
/** A longer loupe.toml is something else, and is left out of the manifest. */
export const settingsBytesMax = 1_000_000
/** The state file has one line of some 600 bytes. */
export const stateBytesMax = 100_000
/** The wait after a first failure; it doubles with each further one. */
export const backupRetryMs = 600_000
/** A drive that was away for a week is asked for four times a day. */
export const backupRetryMsMax = 21_600_000
/** A backup is overdue when two turns fell out, and never within a day: a machine may have been off overnight. */
export const backupGraceMsMin = 86_400_000
/** Of the thread that copies and checks: SQLite keeps its pages outside this heap. */
export const copyHeapBytesMax = 67_108_864
/** The end of Loupe waits this long for a thread that was told to stop; then for the statement that it is in. */
export const copyStopMsMax = 5_000
