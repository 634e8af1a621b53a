/** The limits of the archive, each with its unit in the name and its reason in the comment. Limits that are settings are in
 *  `ArchiveLimits`; the others are constants. */

/** Limits that are settings. */
export interface ArchiveLimits {
  /** Bytes that must stay free on a replica's disk after a file was stored: a full disk affects other programs too. */
  freeBytesMin: number
  /** Bytes that must be free on a replica's disk for a file to be accepted at all. */
  freeBytesToAcceptMin: number
  /** Further uploads in one `store` when the copy just written is missing, as NetarchiveSuite's uploadRetries. */
  uploadRetries: number
  /** Maximum read rate of a check started by the user, for all its threads together; 0: unlimited. */
  checkBytesPerSecondMax: number
  /** Maximum read rate of scheduled checks, which run while users work. */
  quietBytesPerSecondMax: number
}

/** Values of the limits where the settings have none. */
export const defaultArchiveLimits: ArchiveLimits = {
  freeBytesMin: 500_000_000,
  // About the usual size of a file: with less, the next file would be refused in the middle of a job.
  freeBytesToAcceptMin: 1_000_000_000,
  uploadRetries: 1,
  checkBytesPerSecondMax: 0,
  // About a fifth of the rate of a hard disk; reads a terabyte in half a day.
  quietBytesPerSecondMax: 25_000_000,
}

/** Failed disk operations are retried after 0.2 s and 0.4 s, which covers short outages of network drives. */
export const replicaRetryRules = { retriesMax: 2, delayMs: 200 }

/** Buffer size for reading files: larger buffers do not make SHA-256 faster (1.6 GB/s; 64 KiB gives 1.2). */
export const bufferBytes = 1_048_576
/** Minimum interval of progress reports: users cannot read faster updates. */
export const progressEveryMs = 250
/** Files of one check that are hashed concurrently: the number of cores of the smallest supported machine. */
export const checkThreadsMax = 2
/** Items of a check's list written or removed in one step before other work can run, about ten milliseconds. */
export const checkListStepCount = 2_000
/** Rows of the catalogue read for a selection in one step before other work can run, about ten milliseconds. */
export const selectedStepCount = 5_000
/** Items of a check fetched from the database at a time. */
export const checkBatchCount = 64
/** Checks shown, newest first. */
export const checksCountMax = 200
/** Sample names of the files that a pattern matches: enough to show how it is understood. */
export const estimateNamesMax = 3
/** Exports shown, newest first. */
export const exportsCountMax = 200
/** Entries of the audit log verified in one step before other work can run: their hashes take about a millisecond. */
export const auditBatchCount = 500
/** The file that names the head of the audit log holds one line; a larger one is something else. */
export const auditHeadBytesMax = 1_000
/** Overdue copies listed in one answer, for each replica. The number shows how many there are, and a check of all copies resolves
 *  them. */
export const agingCountMax = 1_000
/** Files voted on in one answer. */
export const votesCountMax = 1_000
/** Lost files listed in one answer; their total is counted separately. */
export const lostCountMax = 1_000
/** Last checks listed in a report. */
export const reportChecksCountMax = 20
/** Alarming spots in one answer. */
export const spotsAlarmingCountMax = 1_000
/** Delay of the schedule after a start, to keep the first minute for the user; short commands end before it. */
export const scheduleFirstCheckMs = 60_000
/** Interval at which the schedule looks for due checks. Intervals are in days, and each look costs a few statements. */
export const scheduleCheckMs = 600_000
/** A scheduled check that failed, or a spot check that no replica answered, as when a drive was disconnected, is retried once a day:
 *  each attempt is an entry in the audit log. */
export const scheduleRetryMs = 86_400_000
/** Times further in the future than this were recorded with a wrong clock and are ignored: clocks that are synchronised at times are
 *  never a day apart. */
export const clockDoubtMs = 86_400_000
/** Ended uploads that are kept with their lists of files, of about 200 bytes per file. Older ones leave the database; the audit log has
 *  an entry for each stored file. */
export const uploadsKeptMax = 100
/** Uploads in one answer, newest first. More than the ended ones, since some may be paused. */
export const uploadsShownMax = 200
/** Entries of the attic shown, newest first. */
export const atticCountMax = 1_000
/** Copies whose last repair is kept in memory, including those in progress; older repairs are in the audit log. */
export const repairsKeptMax = 200
/** Files listed in a filtered list: sorting this many takes a few milliseconds, and users do not read more. */
export const filesListedMax = 10_000
/** Findings in one answer; more than this usually have one common cause. */
export const findingsCountMax = 10_000
/** Copies to repair looked up in one step of three statements before other work can run: a few milliseconds. */
export const repairablePageCount = 500
/** Newest observations of one file's copies in one answer. */
export const observationsCountMax = 1_000
/** Newest entries of the audit log about one file in one answer. */
export const fileActionsCountMax = 100
/** Events in the history strip of each replica: more would be too narrow to see. */
export const replicaEventsCountMax = 60
/** Repairs within ten minutes of each other are shown as one event: users confirm the copies of a list one by one. */
export const repairsTogetherMs = 600_000
/** Maximum length of a file name. Common file systems allow 255 bytes; the rest is for the prefix and suffix of temporary files. */
export const nameLengthMax = 200
/** Entries of a folder without a mark that are looked up in the catalogue to recognise the folder. */
export const recognitionCountMax = 1_000
