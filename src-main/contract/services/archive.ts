/** What may be asked and heard of the copies that the archive keeps: how they stand, checks, repairs, the attic and the trail. */
import { z } from 'zod'
import { backupStanding } from './backups.ts'
import { auditActors, auditActions, reportFormats } from '../shapes/choices.ts'
import { faultCodes } from '../calls/faults.ts'
import { patternShape as pattern } from '../shapes/pattern.ts'
import { call, event } from '../calls/service.ts'
import { count, jobId, nothing, page, sha256, time } from '../shapes/shapes.ts'
import { checkStates, preservationStates, uploadStates } from '../states/states.ts'

export const replicaSummary = z.object({
  replica: z.string(),
  /** `checksums`: it holds only which checksum each file had. */
  kind: z.enum(['files', 'checksums']),
  folder: z.string(),
  /** False: the folder cannot be read now (a drive not mounted, say). */
  reachable: z.boolean(),
  files: count,
  /** What it holds: of checksums the list of them, and null while that cannot be looked at. */
  bytes: count.nullable(),
  freeBytes: count.nullable(),
  lastMissingCheck: time.nullable(),
  lastChecksumCheck: time.nullable(),
  neverChecked: count,
  missing: count,
  corrupt: count,
  notStored: count,
  /** What was done with it since Loupe was started, by the part of Loupe that answers; a harvest stores in its own. */
  operations: z.array(z.object({ operation: z.string(), count, failures: count, bytes: count, durationMs: count })),
  lastFailure: z.object({ at: time, operation: z.string(), file: z.string().nullable(), text: z.string() }).nullable(),
})
export type ReplicaSummary = z.output<typeof replicaSummary>

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

/** `notStored`: never brought there whole; `overdue`: not bad as far as anyone knows, but not compared for too long. */
export const copyStandings = ['missing', 'corrupt', 'neverChecked', 'overdue', 'notStored', 'stored'] as const
export type CopyStanding = (typeof copyStandings)[number]
export const fileOrders = ['name', 'job', 'bytes', 'stored'] as const
export type FileOrder = (typeof fileOrders)[number]

/** It lies in a replica's folder, and the catalogue does not know it. */
export const surplusFile = z.object({
  replica: z.string(),
  name: z.string(),
  /** Null: a replica of checksums does not know. */
  bytes: count.nullable(),
  path: z.string(),
  /** When it was first seen there. */
  at: time,
})
export type SurplusFile = z.output<typeof surplusFile>

export const preservationFinding = z.object({
  replica: z.string(),
  name: z.string(),
  /** `surplus`: it lies there and is not in the catalogue. `notStored`: it is in the catalogue and was never stored there. */
  finding: z.enum(['missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus', 'notStored']),
  expected: z.string().nullable(),
  found: z.string().nullable(),
  job: jobId.nullable(),
})
export type PreservationFinding = z.output<typeof preservationFinding>

export const checkSummary = z.object({
  check: z.int().min(1),
  kind: z.enum(['missing', 'checksums']),
  replicas: z.array(z.string()),
  begunBy: z.enum(['person', 'schedule']),
  /** The pattern of the files that were chosen, and how many of them by chance; null: all. */
  files: z.string().nullable(),
  sample: z.int().min(1).nullable(),
  state: z.enum(checkStates.states),
  started: time,
  ended: time.nullable(),
  /** How long it has been looking so far, without the time in which it was stopped. */
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

/** What a check would look at. */
export const checkEstimate = z.object({
  /** Files that are chosen, of those that match. */
  files: count,
  of: count,
  /** Their copies in the replicas, and the bytes of these that are read. Of a sample: as if each had the usual size. */
  copies: count,
  bytes: count,
  /** The first that match. */
  names: z.array(z.string()),
})
export type CheckEstimate = z.output<typeof checkEstimate>

/** A copy that is overdue: its checksum was last verified too long ago, by a check or when it was stored. */
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

/** Who is right about a file: the registered checksum and every replica have a vote, more than half of all decides. */
export const fileVote = z.object({
  name: z.string(),
  job: jobId.nullable(),
  bytes: count,
  /** The checksum of the catalogue. */
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
      /** As it was last read; null when it is gone, or has changed since. */
      checksum: z.string().nullable(),
    }),
  ),
  /** The same for a person. */
  text: z.string(),
})
export type FileVote = z.output<typeof fileVote>

/** What the replicas answered to one salted question about one file. */
export const spotFinding = z.object({
  name: z.string(),
  job: jobId.nullable(),
  at: time,
  /** Hexadecimal, as the key of the HMAC, so that anyone can recompute an answer from the bytes. */
  salt: z.string(),
  /** `single`: only one replica could be asked, so nothing was compared; `none`: none could. */
  verdict: z.enum(['agree', 'differ', 'failed', 'single', 'none']),
  answers: z.array(
    z.object({
      replica: z.string(),
      /** `notAsked`: it holds checksums only, or never got the file; `away`: its drive is. */
      kind: z.enum(['answered', 'notAsked', 'failed', 'away']),
      hmac: z.string().nullable(),
      why: z.string().nullable(),
    }),
  ),
})
export type SpotFinding = z.output<typeof spotFinding>

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
  /** Where it is, as the settings say; null when they do not. */
  place: z.string().nullable(),
  /** Not bad as far as anyone knows, but their checksums were compared too long ago; a copy that no check has looked at yet was compared
   *  when it was stored. */
  overdue: count,
  /** When the first of the copies that no check has looked at yet is overdue; null: there is none. */
  firstCheckDue: time.nullable(),
  /** The longest that a checksum has not been compared; null when none ever was. */
  oldestVerified: time.nullable(),
})
export type ReplicaStanding = z.output<typeof replicaStanding>

/** A file whose bytes no replica has any more, as far as anyone knows. */
export const lostFile = z.object({ name: z.string(), job: jobId.nullable(), bytes: count })
export type LostFile = z.output<typeof lostFile>

/** What belongs to the archive and is in no replica. */
export const filesOutside = z.object({
  /** Files of jobs that have ended and could not store them: the folder of the job has the only copy. */
  waiting: z.array(z.object({ name: z.string(), job: jobId, bytes: count.nullable(), path: z.string() })),
  waitingTotal: count,
  /** Files that were found in folders of jobs and that the database does not know: in the quarantine, or about to be moved there. */
  unknown: z.array(z.object({ path: z.string(), name: z.string(), bytes: count, job: jobId.nullable() })),
  unknownTotal: count,
})
export type FilesOutside = z.output<typeof filesOutside>

export const archiveStatus = z.object({
  at: time,
  /** Nothing needs a person: all replicas are there, nothing is wrong, nothing is overdue, and nothing
   *  lies outside of the replicas or in them without being known. */
  fine: z.boolean(),
  overdueDays: z.int().min(1),
  /** Files of which no replica has a good copy; where there are many, the first of `lostTotal`. */
  lost: z.array(lostFile),
  lostTotal: count,
  replicas: z.array(replicaStanding),
  /** What is wrong, as far as anyone knows. */
  findings: z.array(preservationFinding),
  /** What is overdue; of each replica at most a thousand, the oldest first. */
  aging: z.array(agingCopy),
  /** Who is right about each file of which a copy is bad. */
  votes: z.array(fileVote),
  /** Spots that found something wrong and were not looked into since. */
  spots: z.array(spotFinding),
  outside: filesOutside,
  /** Of the database: what is in its findings needs a person too. */
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
  /** Null where it is unknown: no index covers the file, and no copy of it can be read. */
  content: z
    .object({
      captures: count,
      domains: z.array(z.object({ domain: z.string(), captures: count })),
      domainsTotal: count,
      /** Captures with a payload of their own, and how many of them have the same payload in another file too. */
      withPayload: count,
      elsewhere: count,
      /** Other files that were looked into, of all that have index lines. */
      othersRead: count,
      othersTotal: count,
      /** False: the time was up, so these numbers are the least. */
      complete: z.boolean(),
    })
    .nullable(),
})
export type AffectedFile = z.output<typeof affectedFile>

/** What must hold before a copy is repaired, and what is then done, in this order. */
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
  /** The same for a person, with what was seen. */
  sentence: z.string(),
  /** `open`: it waits for the person, or is still to be done. */
  state: z.enum(['open', 'met', 'failed']),
  /** Which kind of fault made it fail, where it was one. */
  code: z.enum(faultCodes).optional(),
})
export type RepairCondition = z.output<typeof repairCondition>

/** `restore`: nothing lies under the name; `replace`: something wrong does; `right`: nothing is to be repaired. */
const repairKind = z.enum(['restore', 'replace', 'right'])

export const repairPlan = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  bytes: count,
  registered: z.string(),
  /** The checksum of what lies there, read just now; null when nothing does, or it cannot be read. */
  found: z.string().nullable(),
  /** Why what lies there cannot be read; null when it can, or when nothing does. */
  unreadable: z.string().nullable(),
  /** The replica with the good copy. */
  source: z.string().nullable(),
  /** No condition failed: it may be tried, once what is open is confirmed. */
  allowed: z.boolean(),
  conditions: z.array(repairCondition),
})
export type RepairPlan = z.output<typeof repairPlan>

export const repairOutcome = z.object({
  name: z.string(),
  replica: z.string(),
  kind: repairKind,
  /** `refused`: a condition did not hold, and nothing was changed. `failed`: it could not be brought to its end; the text
   *  says how it stands. */
  state: z.enum(['running', 'repaired', 'refused', 'failed']),
  source: z.string().nullable(),
  /** The entry of the attic that holds what was there before. */
  attic: z.int().min(1).nullable(),
  /** Empty while what lies there is being read. */
  conditions: z.array(repairCondition),
  text: z.string(),
  /** `recovery`: Loupe itself, of what a kill interrupted. */
  by: z.enum(['person', 'recovery']),
  begun: time,
  ended: time.nullable(),
  /** Its entry in the audit trail; null when there is none (yet). */
  audit: z.int().min(1).nullable(),
})
export type RepairOutcome = z.output<typeof repairOutcome>

export const repairableCopy = z.object({
  name: z.string(),
  replica: z.string(),
  state: z.enum(['missing', 'corrupt', 'notStored']),
  bytes: count,
  registered: z.string(),
  /** Replicas that may give the good copy: no problem of theirs is known. */
  sources: z.array(z.string()),
  /** Why it cannot be repaired now, as a sentence; null: as far as is known it can. */
  blocker: z.string().nullable(),
})
export type RepairableCopy = z.output<typeof repairableCopy>

/** What was taken out of service. Loupe removes nothing from there. */
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
  /** `open`: Loupe was interrupted, and does not know yet whether it was taken. */
  state: z.enum(['kept', 'open']),
  /** The file that holds it. */
  where: z.string().nullable(),
  /** When the good copy was in its place. */
  brought: time.nullable(),
  /** The name under which it was restored as a new file. */
  restoredAs: z.string().nullable(),
})
export type AtticEntry = z.output<typeof atticEntry>

/** Whether the bytes of an entry are still what was put there. `there`: present with the right length, not read; `right`: read
 *  and compared; `none`: a line of checksums has no bytes; `unknown`: its replica cannot be used, or it is open. */
export const atticLook = z.object({
  id: z.int().min(1),
  state: z.enum(['there', 'right', 'changed', 'gone', 'none', 'unknown']),
  text: z.string(),
})
export type AtticLook = z.output<typeof atticLook>

/** The operating system's account and host, and the shell through which the action was asked for. Of what Loupe does by itself: the
 *  shell in which it ran. */
export const auditOrigin = z.object({
  account: z.string(),
  host: z.string(),
  /** One of `auditShells`; a text, so that entries that someone edited can still be shown. */
  shell: z.string(),
})
export type AuditOrigin = z.output<typeof auditOrigin>

/** One entry of the audit log. */
export const auditEntry = z.object({
  number: z.int().min(1),
  at: time,
  who: z.string(),
  /** Null: written by a Loupe that did not record it. */
  origin: auditOrigin.nullable(),
  what: z.string(),
  subject: z.string(),
  /** State before and after, as the actor recorded it; null where there was nothing. */
  was: z.unknown(),
  became: z.unknown(),
  /** The hash of the entry before. */
  previous: z.string(),
  hash: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

/** What was seen of one copy, from one look to another, for as long as it was the same. */
export const copyObservation = z.object({
  replica: z.string(),
  /** `present`: present with the right length, not read. `stored`: read back when it was stored. */
  seen: z.enum(['stored', 'right', 'present', 'missing', 'wrongLength', 'wrongChecksum', 'unreadable']),
  /** What it was read as; null when it was not read. */
  sha256: z.string().nullable(),
  bytes: count.nullable(),
  first: time,
  last: time,
  times: z.int().min(1),
})
export type CopyObservation = z.output<typeof copyObservation>

/** Everything that was written down of one file; what looks into copies or indexes is `repairPlan` and `affected`. */
export const fileHistory = z.object({
  file: archivedFile,
  vote: fileVote,
  /** Newest first, of all its copies. */
  sightings: z.array(copyObservation),
  attic: z.array(atticEntry),
  /** The entries of the audit trail about it, newest first, at most a hundred. */
  audit: z.array(auditEntry),
})
export type FileHistory = z.output<typeof fileHistory>

/** What was done about a replica and what it showed: a part of the strip of its history. */
export const replicaEvent = z.object({
  kind: z.enum(['missing', 'checksums', 'spot', 'repair']),
  /** Its check or spot check; of repairs that followed each other, the entry of the first in the audit trail. */
  number: z.int().min(1),
  at: time,
  begunBy: z.enum(['person', 'schedule', 'recovery']),
  /** Files of this replica that were looked at, or repaired; of how many. */
  files: count,
  filesTotal: count,
  /** What was wrong with them; of repairs, the copies that could not be put right. */
  findings: count,
  /** `unfinished`: stopped, failed, or going on. */
  state: z.enum(['done', 'doneWithFindings', 'unfinished']),
})
export type ReplicaEvent = z.output<typeof replicaEvent>

/** The first entry that is not what was written there. */
export const brokenLink = z.object({
  number: z.int().min(1),
  kind: z.enum(['removed', 'changed', 'unlinked']),
  text: z.string(),
})
export type BrokenLink = z.output<typeof brokenLink>

/** What loupe.audit says of the log. `behind` is no sign of tampering: Loupe was killed between the two writes. */
export const auditWitness = z.object({
  state: z.enum(['agrees', 'behind', 'absent', 'unreadable', 'contradicts']),
  /** The entry that it names. */
  number: z.int().min(1).nullable(),
})
export type AuditWitness = z.output<typeof auditWitness>

export const auditVerdict = z.object({
  /** No entry was changed, removed or moved, and loupe.audit does not contradict the log. */
  whole: z.boolean(),
  /** Entries in order from the first: all of them, or those before the one that is not in order. */
  entries: count,
  broken: brokenLink.nullable(),
  head: z.string().nullable(),
  witness: auditWitness,
  /** The same for a person. */
  text: z.string(),
})
export type AuditVerdict = z.output<typeof auditVerdict>

/** How far the verifying of the trail is: entries in order so far, of those that there were when it began. */
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
          /** `declared`: the institution says so in the settings; Loupe cannot know. */
          state: z.enum(['met', 'declared', 'notMet']),
          need: z.string(),
        }),
      ),
      /** What is lacking for the next level. */
      next: z.array(z.string()),
    }),
  ),
})
export type PreservationReport = z.output<typeof preservationReport>

/** Bringing back into the database what only files know: those in the replicas that it does not know, and those in the quarantine. */
export const recoverySummary = z.object({
  state: z.enum(['RUNNING', 'DONE', 'STOPPED', 'FAILED']),
  started: time,
  ended: time.nullable(),
  /** Files in the replicas and in the quarantine. */
  filesTotal: count,
  filesDone: count,
  bytesTotal: count,
  bytesDone: count,
  /** Brought into the catalogue. */
  registered: count,
  /** Jobs whose rows were made again. */
  jobs: z.array(jobId),
  /** The job that imports files of the quarantine which no metadata file speaks of. */
  importJob: jobId.nullable(),
  /** Files removed from the quarantine, because every replica has the same bytes. */
  cleared: count,
  /** What could not be done: it stays as it was. */
  problems: z.array(z.object({ name: z.string(), text: z.string() })),
})
export type RecoverySummary = z.output<typeof recoverySummary>

export const archiveCalls = {
  replicas: call(nothing, z.array(replicaSummary)),
  files: call(
    z.strictObject({
      text: z.string().optional(),
      job: jobId.optional(),
      /** How a copy stands, in any replica or in the one that is named; a replica alone: what is stored there. */
      state: z.enum(copyStandings).optional(),
      replica: z.string().optional(),
      order: z.enum(fileOrders).default('name'),
      direction: z.enum(['ascending', 'descending']).default('ascending'),
      ...page,
    }),
    /** Not complete: more were found than can be listed; `total` is how many are. */
    z.object({ rows: z.array(archivedFile), total: count, complete: z.boolean() }),
  ),
  /** What lies in the replicas and is not in the catalogue. */
  surplus: call(nothing, z.array(surplusFile)),
  /** Begins; refused while one is running. */
  recover: call(nothing, recoverySummary),
  /** The one that is running, or the last since the engine started. */
  recovery: call(nothing, recoverySummary.nullable()),
  stopRecovery: call(nothing, recoverySummary),
  recoveryChanged: event(recoverySummary),
  check: call(checkRequest, checkSummary),
  /** How much that would be. Looks at no file and changes nothing. */
  checkEstimate: call(checkRequest, checkEstimate),
  stopCheck: call(z.strictObject({ check: z.int().min(1) }), checkSummary),
  resumeCheck: call(z.strictObject({ check: z.int().min(1) }), checkSummary),
  checks: call(nothing, z.array(checkSummary)),
  findings: call(z.strictObject({ check: z.int().min(1).optional() }), z.array(preservationFinding)),
  checkChanged: event(checkSummary),
  /** What is known of every replica, with ages and votes. It looks at no file. */
  status: call(nothing, archiveStatus),
  /** The same with checks, audit and NDSA levels: as data, and as a text in the format, with a name for its file. */
  report: call(
    z.strictObject({ format: z.enum(reportFormats).default('json') }),
    z.object({ data: preservationReport, name: z.string(), mediaType: z.string(), text: z.string() }),
  ),
  /** Newest first. */
  auditTrail: call(
    z.strictObject({
      what: z.enum(auditActions).optional(),
      who: z.enum(auditActors).optional(),
      /** How the subject begins. */
      subject: z.string().min(1).optional(),
      ...page,
    }),
    z.object({ rows: z.array(auditEntry), total: count }),
  ),
  verifyAudit: call(nothing, auditVerdict),
  /** Progress of the verification of a long log. */
  auditVerifying: event(auditProgress),
  /** Asks every replica for the HMAC of some files, chosen by chance, under a salt of each. */
  spotCheck: call(z.strictObject({ files: z.int().min(1).max(1000).default(10) }), spotCheckSummary),
  affected: call(z.strictObject({ name: z.string().min(1) }), affectedFile),
  /** The copies that can be repaired, as far as is known. */
  repairable: call(
    z.strictObject({ replica: z.string().optional(), files: pattern.optional() }),
    z.array(repairableCopy),
  ),
  /** Reads every replica's copy of the file, and says what would hold. Changes nothing in the replicas. */
  repairPlan: call(z.strictObject({ name: z.string().min(1), replica: z.string() }), repairPlan),
  /** `expected`: the checksum that the file should have; `found`: what the person saw there instead, null for nothing,
   *  `unreadable` for what cannot be read and is to be set aside all the same. Everything is inspected again. */
  repair: call(
    z.strictObject({
      name: z.string().min(1),
      replica: z.string(),
      expected: sha256,
      found: z.union([sha256, z.literal('unreadable')]).nullable(),
    }),
    repairOutcome,
  ),
  /** Each time a condition of a repair is decided. */
  repairChanged: event(repairOutcome),
  /** The repairs under way, and how the last ones ended since the engine started; of each copy the last one. */
  repairs: call(nothing, z.array(repairOutcome)),
  /** Newest first. */
  attic: call(nothing, z.array(atticEntry)),
  /** With `id`: reads the bytes of this entry and compares them. Without: a glance at those of all entries. */
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
  /** Of one file: what was seen of its copies over time. */
  file: call(z.strictObject({ name: z.string().min(1) }), fileHistory),
  /** The last things that were done about each replica, oldest first. */
  history: call(nothing, z.array(z.object({ replica: z.string(), events: z.array(replicaEvent) }))),
  changed: event(nothing),
}
