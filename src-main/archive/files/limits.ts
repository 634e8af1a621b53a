/** The bounds of the archive, each with its unit in its name and its reason in the comment. Those that are settings are
 *  in `ArchiveLimits`; what only protects the machine is a constant. */

export interface ArchiveLimits {
  /** Bytes that must stay free on a replica's disk after a file was stored: a full disk stops more than Loupe. */
  freeBytesMin: number
  /** Bytes that must be free on a replica's disk for a file to be accepted at all. */
  freeBytesToAcceptMin: number
  /** Further uploads in one `store` when the copy that was just written is missing, like NetarchiveSuite's uploadRetries. */
  uploadRetries: number
  /** A check that a person began reads no faster than this, all its threads together; 0 is as fast as the disks give. */
  checkBytesPerSecondMax: number
  /** The same for scheduled checks, which run while people work. */
  quietBytesPerSecondMax: number
}

export const defaultArchiveLimits: ArchiveLimits = {
  freeBytesMin: 500_000_000,
  // A file of the usual size has as much: with less, what comes next is refused in the middle of a job.
  freeBytesToAcceptMin: 1_000_000_000,
  uploadRetries: 1,
  checkBytesPerSecondMax: 0,
  // A fifth of what a hard disk gives, and a terabyte in half a day.
  quietBytesPerSecondMax: 25_000_000,
}

/** What a replica's disk failed at is tried again after 0.2 s and 0.4 s: as long as a drive over the network takes to come
 *  back from nothing worse than a moment's silence. */
export const replicaRetryRules = { retriesMax: 2, delayMs: 200 }

/** One mebibyte is where larger buffers stop making SHA-256 over a file faster (1.6 GB/s; 64 KiB gives 1.2). */
export const bufferBytes = 1_048_576
/** Progress is told no more often than a person can read it. */
export const progressEveryMs = 250
/** Files of one check that are hashed at the same time: as many as the smallest machine has cores. */
export const checkThreadsMax = 2
/** Lines of a check's list written or taken away before others get their turn: they take some ten milliseconds. */
export const checkListStepCount = 2_000
/** Rows of the catalogue read for a selection before others get their turn: they take some ten milliseconds. */
export const selectedStepCount = 5_000
/** Items of a check fetched from the database at a time. */
export const checkBatchCount = 64
/** Checks shown, newest first. */
export const checksCountMax = 200
/** Names given of the files that a pattern matches: enough to see what it is understood as. */
export const estimateNamesMax = 3
/** Exports shown, newest first. */
export const exportsCountMax = 200
/** Entries of the audit trail verified before others get a turn: their hashes take about a millisecond. */
export const auditBatchCount = 500
/** The file that names the head of the audit trail holds one line; a larger one is something else. */
export const auditHeadBytesMax = 1_000
/** Copies named in one answer because nobody looked at them for too long, of each replica: the number says how many there
 *  are, and a check of them all is what ends it. */
export const agingCountMax = 1_000
/** Files voted on in one answer. */
export const votesCountMax = 1_000
/** Lost files named in one answer; how many there are is counted. */
export const lostCountMax = 1_000
/** The last checks that a report names. */
export const reportChecksCountMax = 20
/** Spots that found something wrong, given in one answer. */
export const spotsAlarmingCountMax = 1_000
/** The schedule leaves the first minute after a start to the user; a short command ends before it. */
export const scheduleFirstLookMs = 60_000
/** What is due is due by the day: a look every ten minutes costs a few statements. */
export const scheduleLookMs = 600_000
/** A scheduled check that could not go on, because a drive was away say, is tried again once a day: each try is an entry of
 *  the audit trail. */
export const scheduleRetryMs = 86_400_000
/** A time that lies further ahead than this was written while the clock was wrong, and nothing is taken from it: clocks that
 *  are set right now and then are never a day apart. */
export const clockDoubtMs = 86_400_000
/** Uploads whose files can still be asked for when they have ended. */
export const uploadsKeptMax = 20
/** Entries of the attic shown, newest first. */
export const atticCountMax = 1_000
/** Copies of which the last repair is told, those under way among them: after that many the oldest is in the audit trail. */
export const repairsToldMax = 200
/** Files listed of those that a person looks for by name or state: sorting so many takes a few milliseconds, and nobody reads
 *  more of them. */
export const filesListedMax = 10_000
/** Findings given in one answer; with more there is one problem and not ten thousand. */
export const findingsCountMax = 10_000
/** Copies to repair looked up at a time, with three statements, between which others get a turn: a few milliseconds. */
export const prospectsPageCount = 500
/** Observations of one file's copies given in one answer, the newest. */
export const observationsCountMax = 1_000
/** Entries of the audit trail about one file given in one answer, the newest. */
export const fileActionsCountMax = 100
/** Events of each replica in the strip of its history: more are too narrow to be seen. */
export const replicaEventsCountMax = 60
/** Repairs that follow each other within ten minutes are one event: a person goes through a list, confirming each. */
export const repairsTogetherMs = 600_000
/** File names may have 255 bytes on every file system we know; the rest is for the prefix and suffix of temporary files. */
export const nameLengthMax = 200
/** Entries of a folder without a mark that are looked up in the catalogue to recognise the folder. */
export const recognitionCountMax = 1_000
