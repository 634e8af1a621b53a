/** Calls and events about the copies in the archive: their state, checks, repairs, the attic and the audit trail. */
import { z } from 'zod'
import { backupStanding } from './backups.ts'
import { auditActors, auditActions, reportFormats } from '../shapes/choices.ts'
import { faultCodes } from '../calls/faults.ts'
import { patternShape as pattern } from '../shapes/pattern.ts'
import { call, event } from '../calls/service.ts'
import { count, jobId, nothing, page, sha256, time } from '../shapes/shapes.ts'
import { checkStates, preservationStates, uploadStates } from '../states/states.ts'

/** Shape of a replica as it is listed. */
export const replicaSummary = z.object({
  replica: z.string(),
  /** `checksums`: the replica stores only the checksum of each file. */
  kind: z.enum(['files', 'checksums']),
  folder: z.string(),
  /** False: the folder cannot be read now (for example, because a drive is not mounted). */
  reachable: z.boolean(),
  files: count,
  /** Bytes that it holds; for a checksum replica, those of its list, and null while that cannot be read. */
  bytes: count.nullable(),
  freeBytes: count.nullable(),
  lastMissingCheck: time.nullable(),
  lastChecksumCheck: time.nullable(),
  neverChecked: count,
  missing: count,
  corrupt: count,
  notStored: count,
  /** Operations on it since Loupe was started, counted by the part of Loupe that answers; a harvest stores in a part of its own. */
  operations: z.array(z.object({ operation: z.string(), count, failures: count, bytes: count, durationMs: count })),
  lastFailure: z.object({ at: time, operation: z.string(), file: z.string().nullable(), text: z.string() }).nullable(),
})
export type ReplicaSummary = z.output<typeof replicaSummary>

/** Shape of a file of the archive with its copies. */
export const archivedFile = z.object({
  name: z.string(),
  kind: z.enum(['content', 'metadata']),
  job: jobId.nullable(),
  bytes: count,
  sha256: z.string(),
  stored: time.nullable(),
  replicas: z.array(
    z.object({
      replica: z.string(),
      upload: z.enum(uploadStates.states),
      problem: z.string().nullable(),
      preservation: z.enum(preservationStates.states),
      checked: time.nullable(),
      verified: time.nullable(),
    }),
  ),
})
export type ArchivedFile = z.output<typeof archivedFile>

/** `notStored`: never stored there completely. `overdue`: not known to be bad, but not compared for too long. */
export const copyStandings = ['missing', 'corrupt', 'neverChecked', 'overdue', 'notStored', 'stored'] as const
export type CopyStanding = (typeof copyStandings)[number]
export const fileOrders = ['name', 'job', 'bytes', 'stored'] as const
export type FileOrder = (typeof fileOrders)[number]

/** A file in a replica's folder that is not in the catalogue. */
export const surplusFile = z.object({
  replica: z.string(),
  name: z.string(),
  /** Null for a checksum replica, which does not have the size. */
  bytes: count.nullable(),
  path: z.string(),
  /** When the file was first seen there. */
  at: time,
})
export type SurplusFile = z.output<typeof surplusFile>

/** Shape of a problem with a copy. */
export const preservationFinding = z.object({
  replica: z.string(),
  name: z.string(),
  /** `surplus`: the file is there and not in the catalogue. `notStored`: it is in the catalogue and was never stored there. */
  finding: z.enum(['missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus', 'notStored']),
  expected: z.string().nullable(),
  found: z.string().nullable(),
  job: jobId.nullable(),
})
export type PreservationFinding = z.output<typeof preservationFinding>

/** Shape of a check with its progress and result. */
export const checkSummary = z.object({
  check: z.int().min(1),
  kind: z.enum(['missing', 'checksums']),
  replicas: z.array(z.string()),
  begunBy: z.enum(['person', 'schedule']),
  /** The pattern of the chosen files, and the size of the random sample; null: all. */
  files: z.string().nullable(),
  sample: z.int().min(1).nullable(),
  state: z.enum(checkStates.states),
  started: time,
  ended: time.nullable(),
  /** Seconds of checking so far, without the time in which it was stopped. */
  seconds: z.number().min(0),
  filesTotal: count,
  filesDone: count,
  bytesTotal: count,
  bytesDone: count,
  findings: count,
  problem: z.string().nullable(),
})
export type CheckSummary = z.output<typeof checkSummary>

const checkRequest = z.strictObject({
  kind: z.enum(['missing', 'checksums']),
  replica: z.string().optional(),
  files: pattern.optional(),
  sample: z.int().min(1).optional(),
})
export type CheckRequest = z.input<typeof checkRequest>

/** What a check would examine. */
export const checkEstimate = z.object({
  /** Chosen files, of those that match. */
  files: count,
  of: count,
  /** Their copies in the replicas, and the bytes of these that are read. For a sample the average size is assumed. */
  copies: count,
  bytes: count,
  /** The first names that match. */
  names: z.array(z.string()),
})
export type CheckEstimate = z.output<typeof checkEstimate>

/** An overdue copy: its checksum was last verified too long ago, by a check or when it was stored. */
export const agingCopy = z.object({
  replica: z.string(),
  name: z.string(),
  finding: z.enum(['neverChecked', 'overdue']),
  /** When its checksum was last compared. */
  verified: time.nullable(),
  stored: time,
  job: jobId.nullable(),
})
export type AgingCopy = z.output<typeof agingCopy>

/** Vote on the checksum of a file: the registered checksum and every replica have one vote each, and more than half of all decides. */
export const fileVote = z.object({
  name: z.string(),
  job: jobId.nullable(),
  bytes: count,
  /** The checksum in the catalogue. */
  registered: z.string(),
  registeredVerdict: z.enum(['right', 'wrong', 'unknown']),
  /** The checksum that won; null when none has enough votes. */
  winner: z.string().nullable(),
  votes: count,
  needed: z.int().min(1),
  copies: z.array(
    z.object({
      replica: z.string(),
      verdict: z.enum(['right', 'corrupt', 'missing', 'unknown']),
      /** The checksum when it was last read; null when the copy is missing, or has changed since. */
      checksum: z.string().nullable(),
    }),
  ),
  /** The result as text for the user. */
  text: z.string(),
})
export type FileVote = z.output<typeof fileVote>

/** Answers of the replicas to one salted question about one file. */
export const spotFinding = z.object({
  name: z.string(),
  job: jobId.nullable(),
  at: time,
  /** Hexadecimal, the key of the HMAC, so that any reader of the bytes can recompute an answer. */
  salt: z.string(),
  /** `single`: only one replica could be asked, so nothing was compared. `none`: none could. */
  verdict: z.enum(['agree', 'differ', 'failed', 'single', 'none']),
  answers: z.array(
    z.object({
      replica: z.string(),
      /** `notAsked`: the replica holds checksums only, or never got the file. `away`: its drive is not available. */
      kind: z.enum(['answered', 'notAsked', 'failed', 'away']),
      hmac: z.string().nullable(),
      why: z.string().nullable(),
    }),
  ),
})
export type SpotFinding = z.output<typeof spotFinding>

/** Shape of a spot check with its result. */
export const spotCheckSummary = z.object({
  spotCheck: z.int().min(1),
  begunBy: z.enum(['person', 'schedule']),
  started: time,
  /** Null: it was stopped before its end. */
  ended: time.nullable(),
  files: z.array(spotFinding),
})
export type SpotCheckSummary = z.output<typeof spotCheckSummary>

/** A replica with the ages of its copies. */
export const replicaStanding = replicaSummary.extend({
  /** Its location according to the settings; null when they have none. */
  place: z.string().nullable(),
  /** Copies not known to be bad, but compared too long ago; a copy that no check has examined yet was compared when it was stored. */
  overdue: count,
  /** When the first of the copies that no check has examined yet becomes overdue; null: there is none. */
  firstCheckDue: time.nullable(),
  /** The oldest comparison of a checksum; null when none was ever compared. */
  oldestVerified: time.nullable(),
})
export type ReplicaStanding = z.output<typeof replicaStanding>

/** A file that no replica has any more, as far as is known. */
export const lostFile = z.object({ name: z.string(), job: jobId.nullable(), bytes: count })
export type LostFile = z.output<typeof lostFile>

/** Files that belong to the archive and are in no replica. */
export const filesOutside = z.object({
  /** Files of ended jobs that could not be stored: the folder of the job has the only copy. */
  waiting: z.array(z.object({ name: z.string(), job: jobId, bytes: count.nullable(), path: z.string() })),
  waitingTotal: count,
  /** Files found in folders of jobs that are not in the database: in the quarantine, or about to be moved there. */
  unknown: z.array(z.object({ path: z.string(), name: z.string(), bytes: count, job: jobId.nullable() })),
  unknownTotal: count,
})
export type FilesOutside = z.output<typeof filesOutside>

/** Shape of the state of all replicas. */
export const archiveStatus = z.object({
  at: time,
  /**
   * Whether nothing needs the user's attention: all replicas are available, nothing is wrong or overdue, and there is no file outside of
   * the replicas or unknown in them.
   */
  fine: z.boolean(),
  overdueDays: z.int().min(1),
  /** Files of which no replica has a good copy; if there are many, the first of `lostTotal`. */
  lost: z.array(lostFile),
  lostTotal: count,
  replicas: z.array(replicaStanding),
  /** Known problems. */
  findings: z.array(preservationFinding),
  /** Overdue copies; of each replica at most a thousand, the oldest first. */
  aging: z.array(agingCopy),
  /** The vote on each file with a bad copy. */
  votes: z.array(fileVote),
  /** Spot checks that found a problem that has not been examined since. */
  spots: z.array(spotFinding),
  outside: filesOutside,
  /** Backups of the database: their findings need the user's attention too. */
  backup: backupStanding,
})
export type ArchiveStatus = z.output<typeof archiveStatus>

/** What is lost with one file. */
export const affectedFile = z.object({
  name: z.string(),
  job: jobId.nullable(),
  bytes: count,
  vote: fileVote,
  /** Replicas with a good copy as far as is known. */
  goodIn: z.array(z.string()),
  /** Null when unknown: no index covers the file, and no copy of it can be read. */
  content: z
    .object({
      captures: count,
      domains: z.array(z.object({ domain: z.string(), captures: count })),
      domainsTotal: count,
      /** Captures with a payload of their own, and how many of these payloads are also in another file. */
      withPayload: count,
      elsewhere: count,
      /** Other files that were searched, of all that have index lines. */
      othersRead: count,
      othersTotal: count,
      /** False: the time limit was reached, so these numbers are lower bounds. */
      complete: z.boolean(),
    })
    .nullable(),
})
export type AffectedFile = z.output<typeof affectedFile>

/** The conditions of a repair, followed by its steps, in this order. */
export const repairCondition = z.object({
  condition: z.enum([
    'replicaUsable',
    'goodCopy',
    'majority',
    'asConfirmed',
    'differs',
    'expected',
    'setAside',
    'brought',
    'goodAfter',
  ]),
  /** The condition as a sentence for the user, with what was observed. */
  sentence: z.string(),
  /** `open`: it waits for the user, or has not been done yet. */
  state: z.enum(['open', 'met', 'failed']),
  /** The kind of fault that made it fail, if it was one. */
  code: z.enum(faultCodes).optional(),
})
export type RepairCondition = z.output<typeof repairCondition>

/** `restore`: no file has the name. `replace`: a wrong file has it. `right`: nothing needs repair. */
const repairKind = z.enum(['restore', 'replace', 'right'])

/** Shape of the plan for the repair of one copy. */
export const repairPlan = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  bytes: count,
  registered: z.string(),
  /** The checksum of the present file, read just now; null when there is none, or it cannot be read. */
  found: z.string().nullable(),
  /** Why the present file cannot be read; null when it can, or when there is none. */
  unreadable: z.string().nullable(),
  /** The replica with the good copy. */
  source: z.string().nullable(),
  /** Whether no condition failed: the repair may be tried once the open ones are confirmed. */
  allowed: z.boolean(),
  conditions: z.array(repairCondition),
})
export type RepairPlan = z.output<typeof repairPlan>

/** Shape of the state of one repair. */
export const repairOutcome = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  /** `refused`: a condition did not hold, and nothing was changed. `failed`: it could not be completed; the text describes the state. */
  state: z.enum(['running', 'repaired', 'refused', 'failed']),
  source: z.string().nullable(),
  /** The entry of the attic with the former file. */
  attic: z.int().min(1).nullable(),
  /** Empty while the present file is being read. */
  conditions: z.array(repairCondition),
  text: z.string(),
  /** `recovery`: Loupe itself, after a kill interrupted the repair. */
  by: z.enum(['person', 'recovery']),
  begun: time,
  ended: time.nullable(),
  /** Its entry in the audit trail; null when there is none (yet). */
  audit: z.int().min(1).nullable(),
})
export type RepairOutcome = z.output<typeof repairOutcome>

/** Shape of a copy that needs repair. */
export const repairableCopy = z.object({
  name: z.string(),
  replica: z.string(),
  state: z.enum(['missing', 'corrupt', 'notStored']),
  bytes: count,
  registered: z.string(),
  /** Replicas that may provide the good copy: no problem of theirs is known. */
  sources: z.array(z.string()),
  /** Why it cannot be repaired now, as a sentence; null when it can as far as is known. */
  blocker: z.string().nullable(),
})
export type RepairableCopy = z.output<typeof repairableCopy>

/** A file or entry that was taken out of service. Loupe removes nothing from the attic. */
export const atticEntry = z.object({
  id: z.int().min(1),
  name: z.string(),
  replica: z.string(),
  /** Null where it could not be read when it was moved. */
  sha256: z.string().nullable(),
  /** Null for an entry of a checksum replica, and where it could not be read. */
  bytes: count.nullable(),
  /** The checksum that it should have had. */
  registered: z.string(),
  who: z.string(),
  reason: z.string(),
  at: time,
  /** `open`: Loupe was interrupted, and it is not known yet whether the file was moved. */
  state: z.enum(['kept', 'open']),
  /** Path of the file that holds it. */
  where: z.string().nullable(),
  /** When the good copy replaced it. */
  brought: time.nullable(),
  /** The name under which it was restored as a new file. */
  restoredAs: z.string().nullable(),
})
export type AtticEntry = z.output<typeof atticEntry>

/**
 * Whether the bytes of an entry are unchanged. `there`: present with the right length, not read. `right`: read and compared. `none`: a line
 * of checksums has no bytes. `unknown`: its replica cannot be used, or the entry is open.
 */
export const atticLook = z.object({
  id: z.int().min(1),
  state: z.enum(['there', 'right', 'changed', 'gone', 'none', 'unknown']),
  text: z.string(),
})
export type AtticLook = z.output<typeof atticLook>

/**
 * Account and host of the operating system, and the shell through which the action was requested. For actions of Loupe itself: the shell in
 * which it ran.
 */
export const auditOrigin = z.object({
  account: z.string(),
  host: z.string(),
  /** One of `auditShells`; a text, so that edited entries can still be displayed. */
  shell: z.string(),
})
export type AuditOrigin = z.output<typeof auditOrigin>

/** One entry of the audit log. */
export const auditEntry = z.object({
  number: z.int().min(1),
  at: time,
  who: z.string(),
  /** Null: written by an earlier Loupe that did not record it. */
  origin: auditOrigin.nullable(),
  what: z.string(),
  subject: z.string(),
  /** State before and after, as the actor recorded it; null where there was nothing. */
  was: z.unknown(),
  became: z.unknown(),
  /** The hash of the previous entry. */
  previous: z.string(),
  hash: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

/** An unchanged observation of one copy, from its first to its last time. */
export const copyObservation = z.object({
  replica: z.string(),
  /** `present`: present with the right length, not read. `stored`: read back when it was stored. */
  seen: z.enum(['stored', 'right', 'present', 'missing', 'wrongLength', 'wrongChecksum', 'unreadable']),
  /** The checksum that was read; null when it was not read. */
  sha256: z.string().nullable(),
  bytes: count.nullable(),
  first: time,
  last: time,
  times: z.int().min(1),
})
export type CopyObservation = z.output<typeof copyObservation>

/** All records about one file. `repairPlan` and `affected` read copies and indexes. */
export const fileHistory = z.object({
  file: archivedFile,
  vote: fileVote,
  /** Observations of all its copies, newest first. */
  sightings: z.array(copyObservation),
  attic: z.array(atticEntry),
  /** Entries of the audit trail about the file, newest first, at most a hundred. */
  audit: z.array(auditEntry),
})
export type FileHistory = z.output<typeof fileHistory>

/** An action on a replica and its result: a part of the strip of its history. */
export const replicaEvent = z.object({
  kind: z.enum(['missing', 'checksums', 'spot', 'repair']),
  /** Number of the check or spot check; for consecutive repairs, the entry of the first in the audit trail. */
  number: z.int().min(1),
  at: time,
  begunBy: z.enum(['person', 'schedule', 'recovery']),
  /** Files of this replica that were examined, or repaired, with the total. */
  files: count,
  filesTotal: count,
  /** Findings; for repairs, the copies that could not be repaired. */
  findings: count,
  /** `unfinished`: stopped, failed, or still running. */
  state: z.enum(['done', 'doneWithFindings', 'unfinished']),
})
export type ReplicaEvent = z.output<typeof replicaEvent>

/** The first entry that is not as it was written. */
export const brokenLink = z.object({
  number: z.int().min(1),
  kind: z.enum(['removed', 'changed', 'unlinked']),
  text: z.string(),
})
export type BrokenLink = z.output<typeof brokenLink>

/** The comparison of loupe.audit with the log. `behind` is no sign of tampering: Loupe was killed between the two writes. */
export const auditWitness = z.object({
  state: z.enum(['agrees', 'behind', 'absent', 'unreadable', 'contradicts']),
  /** The entry that it names. */
  number: z.int().min(1).nullable(),
})
export type AuditWitness = z.output<typeof auditWitness>

/** Shape of the result of verifying the audit trail. */
export const auditVerdict = z.object({
  /** Whether no entry was changed, removed or moved, and loupe.audit does not contradict the log. */
  whole: z.boolean(),
  /** Entries in order from the first: all of them, or those before the first that is not. */
  entries: count,
  broken: brokenLink.nullable(),
  head: z.string().nullable(),
  witness: auditWitness,
  /** The result as text for the user. */
  text: z.string(),
})
export type AuditVerdict = z.output<typeof auditVerdict>

/** Progress of the verification of the trail: entries verified, of those that existed when it began. */
export const auditProgress = z.object({ entries: count, entriesTotal: count })
export type AuditProgress = z.output<typeof auditProgress>

/** The preservation report. */
export const preservationReport = archiveStatus.extend({
  archive: z.string(),
  software: z.string(),
  files: count,
  bytes: count,
  audit: auditVerdict,
  lastSpotCheck: spotCheckSummary.nullable(),
  /** The last checks, newest first. */
  checks: z.array(checkSummary),
  /** The NDSA levels (2019) of these areas. */
  levels: z.array(
    z.object({
      area: z.enum(['storage', 'integrity', 'metadata']),
      level: z.int().min(0).max(4),
      conditions: z.array(
        z.object({
          id: z.string(),
          level: z.int().min(1).max(4),
          sentence: z.string(),
          /** `declared`: the institution declares it in the settings; Loupe cannot verify it. */
          state: z.enum(['met', 'declared', 'notMet']),
          /** Whether Loupe can check the condition. */
          isChecked: z.boolean(),
          /** Whether the institution may declare it (setting `preservation.declared`). */
          isDeclarable: z.boolean(),
          need: z.string(),
        }),
      ),
      /** What is missing for the next level. */
      next: z.array(z.string()),
    }),
  ),
})
export type PreservationReport = z.output<typeof preservationReport>

/** Recovery of records that only files have: unknown files in the replicas, and those in the quarantine. */
export const recoverySummary = z.object({
  state: z.enum(['RUNNING', 'DONE', 'STOPPED', 'FAILED']),
  started: time,
  ended: time.nullable(),
  /** Files in the replicas and in the quarantine. */
  filesTotal: count,
  filesDone: count,
  bytesTotal: count,
  bytesDone: count,
  /** Files added to the catalogue. */
  registered: count,
  /** Jobs whose rows were recreated. */
  jobs: z.array(jobId),
  /** The job that imports files of the quarantine that no metadata file names. */
  importJob: jobId.nullable(),
  /** Files removed from the quarantine, because every replica has the same bytes. */
  cleared: count,
  /** What could not be recovered: it stays unchanged. */
  problems: z.array(z.object({ name: z.string(), text: z.string() })),
})
export type RecoverySummary = z.output<typeof recoverySummary>

export const archiveCalls = {
  replicas: call(nothing, z.array(replicaSummary)),
  files: call(
    z.strictObject({
      text: z.string().optional(),
      job: jobId.optional(),
      /** State of a copy in any replica, or in the named one; a replica alone selects what is stored there. */
      state: z.enum(copyStandings).optional(),
      replica: z.string().optional(),
      order: z.enum(fileOrders).default('name'),
      direction: z.enum(['ascending', 'descending']).default('ascending'),
      ...page,
    }),
    /** `complete` is false when more files were found than can be listed; `total` counts those that are. */
    z.object({ rows: z.array(archivedFile), total: count, complete: z.boolean() }),
  ),
  /** Lists files in the replicas that are not in the catalogue. */
  surplus: call(nothing, z.array(surplusFile)),
  /** Starts a recovery; refused while one is running. */
  recover: call(nothing, recoverySummary),
  /** Returns the running recovery, or the last since the engine started. */
  recovery: call(nothing, recoverySummary.nullable()),
  stopRecovery: call(nothing, recoverySummary),
  recoveryChanged: event(recoverySummary),
  check: call(checkRequest, checkSummary),
  /** Estimates the amount of a check. Reads no file and changes nothing. */
  checkEstimate: call(checkRequest, checkEstimate),
  stopCheck: call(z.strictObject({ check: z.int().min(1) }), checkSummary),
  resumeCheck: call(z.strictObject({ check: z.int().min(1) }), checkSummary),
  checks: call(nothing, z.array(checkSummary)),
  findings: call(z.strictObject({ check: z.int().min(1).optional() }), z.array(preservationFinding)),
  checkChanged: event(checkSummary),
  /** Returns what is known of every replica, with ages and votes. Reads no file. */
  status: call(nothing, archiveStatus),
  /** Returns the status with checks, audit and NDSA levels: as data, and as a text in the requested format, with a suggested file name. */
  report: call(
    z.strictObject({ format: z.enum(reportFormats).default('json') }),
    z.object({ data: preservationReport, name: z.string(), mediaType: z.string(), text: z.string() }),
  ),
  /** Newest first. */
  auditTrail: call(
    z.strictObject({
      what: z.enum(auditActions).optional(),
      who: z.enum(auditActors).optional(),
      /** Prefix of the subject. */
      subject: z.string().min(1).optional(),
      ...page,
    }),
    z.object({ rows: z.array(auditEntry), total: count }),
  ),
  verifyAudit: call(nothing, auditVerdict),
  /** Progress of the verification of a long log. */
  auditVerifying: event(auditProgress),
  /** Asks every replica for the HMAC of some randomly chosen files, each under a different salt. */
  spotCheck: call(z.strictObject({ files: z.int().min(1).max(1000).default(10) }), spotCheckSummary),
  affected: call(z.strictObject({ name: z.string().min(1) }), affectedFile),
  /** Lists the copies that can be repaired, as far as is known. */
  repairable: call(
    z.strictObject({ replica: z.string().optional(), files: pattern.optional() }),
    z.array(repairableCopy),
  ),
  /** Reads every replica's copy of the file, and returns which conditions would hold. Changes nothing in the replicas. */
  repairPlan: call(z.strictObject({ name: z.string().min(1), replica: z.string() }), repairPlan),
  /**
   * Repairs a copy. `expected`: the checksum that the file should have. `found`: the checksum that the user saw instead, null for a missing
   * file, `unreadable` for one that cannot be read and is set aside nevertheless. Everything is inspected again.
   */
  repair: call(
    z.strictObject({
      name: z.string().min(1),
      replica: z.string(),
      expected: sha256,
      found: z.union([sha256, z.literal('unreadable')]).nullable(),
    }),
    repairOutcome,
  ),
  /** Emitted when a condition of a repair is decided. */
  repairChanged: event(repairOutcome),
  /** Lists the repairs under way, and the last results since the engine started; of each copy the last one. */
  repairs: call(nothing, z.array(repairOutcome)),
  /** Newest first. */
  attic: call(nothing, z.array(atticEntry)),
  /** With `id`: reads the bytes of this entry and compares them. Without: a quick check of all entries without reading them. */
  lookInAttic: call(z.strictObject({ id: z.int().min(1).optional() }), z.array(atticLook)),
  /** Stores the content as a new file under an unused name in every replica. It stays in the attic too. */
  restoreFromAttic: call(
    z.strictObject({ id: z.int().min(1), as: z.string().min(1).optional() }),
    z.object({
      id: z.int().min(1),
      name: z.string(),
      sha256: z.string(),
      state: z.enum(['stored', 'failed']),
      problems: z.array(z.object({ replica: z.string(), problem: z.string() })),
    }),
  ),
  /** Returns the observations of a file's copies over time. */
  file: call(z.strictObject({ name: z.string().min(1) }), fileHistory),
  /** Returns the last actions on each replica, oldest first. */
  history: call(nothing, z.array(z.object({ replica: z.string(), events: z.array(replicaEvent) }))),
  changed: event(nothing),
}
