/** Calls and events about the copies in the archive: their state, checks, repairs, the attic and the audit log. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { reportFormats, auditActions, auditActors } from '../shapes/choices.ts'
import { patternShape as pattern } from '../shapes/pattern.ts'
import { count, jobId, messageShape, nothing, page, sha256 } from '../shapes/shapes.ts'
import { archiveStatus, preservationReport } from './archiveStatus.ts'
import { copyStates, fileOrders, archivedFile, surplusFile, affectedFile, fileHistory } from './archivedFiles.ts'
import { atticEntry, atticCheck } from './attic.ts'
import { auditEntry, auditVerdict, auditProgress } from './audit.ts'
import { checkRequest, checkSummary, checkEstimate, preservationFinding } from './checks.ts'
import { recoverySummary } from './recovery.ts'
import { repairableCopy, repairPlan, repairOutcome } from './repairs.ts'
import { replicaSummary, replicaEvent } from './replicas.ts'
import { spotCheckSummary } from './votes.ts'

export const archiveCalls = {
  replicas: call(nothing, z.array(replicaSummary)),
  files: call(
    z.strictObject({
      text: z.string().optional(),
      job: jobId.optional(),
      /** State of a copy in any replica, or in the named one; a replica alone selects what is stored there. */
      state: z.enum(copyStates).optional(),
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
  /** Starts a check, and resolves when it is known what it will examine. */
  check: call(checkRequest, checkSummary),
  /** Estimates the amount of a check. Reads no file and changes nothing. */
  checkEstimate: call(checkRequest, checkEstimate),
  /** Newest first. Progress and ends are events of `tasks`, which also stops, pauses and resumes checks. */
  checks: call(nothing, z.array(checkSummary)),
  findings: call(z.strictObject({ check: z.int().min(1).optional() }), z.array(preservationFinding)),
  /** Returns what is known of every replica, with ages and votes. Reads no file. */
  status: call(nothing, archiveStatus),
  /** Returns the status with checks, audit and NDSA levels: as data, and as a text in the requested format, with a suggested file name. */
  report: call(
    z.strictObject({ format: z.enum(reportFormats).default('json') }),
    z.object({ data: preservationReport, name: z.string(), mediaType: z.string(), text: z.string() }),
  ),
  /** Newest first. */
  auditLog: call(
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
  /**
   * Asks every replica for the HMAC of some randomly chosen files, each under a different salt, and resolves when all have answered. A
   * task; the call is stopped when the task is.
   */
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
  checkAttic: call(z.strictObject({ id: z.int().min(1).optional() }), z.array(atticCheck)),
  /** Stores the content as a new file under an unused name in every replica. It stays in the attic too. */
  restoreFromAttic: call(
    z.strictObject({ id: z.int().min(1), as: z.string().min(1).optional() }),
    z.object({
      id: z.int().min(1),
      name: z.string(),
      sha256: z.string(),
      state: z.enum(['stored', 'failed']),
      problems: z.array(z.object({ replica: z.string(), problem: messageShape })),
    }),
  ),
  /** Returns the observations of a file's copies over time. */
  file: call(z.strictObject({ name: z.string().min(1) }), fileHistory),
  /** Returns the last actions on each replica, oldest first. */
  history: call(nothing, z.array(z.object({ replica: z.string(), events: z.array(replicaEvent) }))),
  changed: event(nothing),
}
