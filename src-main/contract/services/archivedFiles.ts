/** Shapes of files in the archive: their copies, files that are lost or outside of the replicas, and all records about one file. */
import { z } from 'zod'
import { count, jobId, messageShape, time } from '../shapes/shapes.ts'
import { uploadStates, preservationStates } from '../states/states.ts'
import { atticEntry } from './attic.ts'
import { auditEntry } from './audit.ts'
import { fileVote } from './votes.ts'

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
      /** Why it could not be stored there. */
      problem: messageShape.nullable(),
      preservation: z.enum(preservationStates.states),
      checked: time.nullable(),
      verified: time.nullable(),
    }),
  ),
})
export type ArchivedFile = z.output<typeof archivedFile>

/** `notStored`: never stored there completely. `overdue`: not known to be bad, but not compared for too long. */
export const copyStates = ['missing', 'corrupt', 'neverChecked', 'overdue', 'notStored', 'stored'] as const
export type CopyState = (typeof copyStates)[number]
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

/** A lost file: by the last checks, no replica has a good copy. */
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
  /** Captures in other records whose content is in this file, by job, and how many of them have it nowhere else. Null: not known yet,
   * because the index of the whole archive is still being built. */
  referredBy: z.array(z.object({ job: jobId.nullable(), captures: count, onlyHere: count })).nullable(),
})
export type AffectedFile = z.output<typeof affectedFile>

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
  observations: z.array(copyObservation),
  attic: z.array(atticEntry),
  /** Entries of the audit log about the file, newest first, at most a hundred. */
  audit: z.array(auditEntry),
})
export type FileHistory = z.output<typeof fileHistory>
