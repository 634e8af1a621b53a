/** Backups of the database: their calls, and the manifest of each. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { count, messageShape, nothing, sha256, time } from '../shapes/shapes.ts'

/** The manifest next to a backup; `sha256sum -c` reads the last line of the same file. */
export const backupManifest = z.object({
  /** The archive that was backed up. */
  archive: z.string(),
  /** The folder of that archive. */
  folder: z.string(),
  software: z.string(),
  made: time,
  /** When the database was last compared and was unchanged, in which case no further backup is made. */
  confirmed: time,
  /** When the file was last read and compared with its checksum. */
  verified: time,
  /** The problem of the file when it was last read; null: none. */
  problem: messageShape.nullable(),
  bytes: count,
  schemaVersion: z.int().min(1),
  jobs: count,
  files: count,
  /** The last entry of the audit log. */
  audit: z.object({ number: z.int().min(1), hash: sha256 }).nullable(),
  /** The text of loupe.toml: a database alone does not tell where the replicas are. */
  settings: z.string().nullable(),
})
export type BackupManifest = z.output<typeof backupManifest>

/** Results of the last attempts, in a file of the archive: it can be read when the database cannot. */
export const backupState = z.object({
  /** Null: not known yet. */
  archive: z.string().nullable(),
  /** The folder of the last backup that was made or confirmed. */
  folder: z.string().nullable(),
  last: z.object({ name: z.string(), made: time, confirmed: time, bytes: count }).nullable(),
  /** The last attempt, if it failed, with the number of consecutive failures. */
  failure: z.object({ at: time, folder: z.string(), tries: z.int().min(1), message: messageShape }).nullable(),
  /** Findings of the last integrity check of the database itself. */
  damage: z.object({ at: time, message: messageShape }).nullable(),
})
export type BackupState = z.output<typeof backupState>

/**
 * `missing`: the manifest exists and the file does not. `unreadable`: the manifest cannot be read. `otherArchive`: it belongs to another
 * archive with backups in the same folder.
 */
const backupStates = ['good', 'damaged', 'missing', 'unreadable', 'otherArchive'] as const

/** Shape of a backup as it is listed. */
export const backupRow = z.object({
  name: z.string(),
  path: z.string(),
  state: z.enum(backupStates),
  /** Null when there is none. */
  problem: messageShape.nullable(),
  sha256: z.string().nullable(),
  /** Null when the manifest cannot be read. */
  manifest: backupManifest.omit({ problem: true, settings: true }).nullable(),
})
export type BackupRow = z.output<typeof backupRow>

/**
 * `failed`: the last attempt failed. `overdue`: none was made for too long, or ever. `database`: the database itself is damaged. The others
 * concern files in the folder of backups.
 */
const backupFindingKinds = ['database', 'failed', 'overdue', 'damaged', 'missing', 'unreadable'] as const

/** Shape of a problem with backups. */
export const backupFinding = z.object({
  kind: z.enum(backupFindingKinds),
  /** The backup concerned; null when there is none. */
  name: z.string().nullable(),
  /** What failed, why, and what to do. */
  message: messageShape,
})
export type BackupFinding = z.output<typeof backupFinding>

/** Shape of the progress of a backup, or of the check of one. */
export const backupProgress = z.object({
  phase: z.enum(['copying', 'checking', 'writing', 'verifying']),
  /** Progress of this phase, from 0 to 1. */
  share: z.number().min(0).max(1),
})
export type BackupProgress = z.output<typeof backupProgress>

/** Shape of the state of an archive's backups. */
export const backupStatus = z.object({
  folder: z.string(),
  /** False: the folder cannot be read now, because its drive is not connected, for example. Null: it never held a backup. */
  reachable: z.boolean().nullable(),
  /** 0: no schedule. */
  everyHours: count,
  keepCount: count,
  keepDays: count,
  /** The newest backup that is good as far as is known; null when there is none. */
  last: z.object({ name: z.string(), made: time, confirmed: time, bytes: count }).nullable(),
  /** Good backups of this archive in the folder, and their size. */
  kept: count,
  bytes: count,
  /** When the next one is made; null when none is planned. */
  next: time.nullable(),
  /** Whether it is on another file system than the archive and all of its replicas; null when that cannot be determined now. */
  apart: z.boolean().nullable(),
  /** Whether everything stored until now is in it, or will be by its schedule. */
  current: z.boolean(),
  findings: z.array(backupFinding),
  running: backupProgress.nullable(),
})
export type BackupStatus = z.output<typeof backupStatus>

/** Shape of the result of making a backup. */
export const backupMade = z.object({
  /** `unchanged`: the newest backup has the same content and was read again, so no further one was written. */
  outcome: z.enum(['made', 'unchanged']),
  backup: backupRow,
  /** Older backups removed by the retention rules. */
  removed: z.array(z.string()),
})
export type BackupMade = z.output<typeof backupMade>

export const backupCalls = {
  status: call(nothing, backupStatus),
  /** Newest first. */
  list: call(nothing, z.array(backupRow)),
  /**
   * Makes a backup. Resolves when it has been made and verified. `emptied`: the folder holds none of the backups that were made in it, and
   * the caller knows that it is the right one.
   */
  make: call(z.strictObject({ emptied: z.boolean().default(false) }), backupMade),
  /** Reads one backup, or all of this archive, and compares checksums and integrity. */
  verify: call(z.strictObject({ name: z.string().min(1).optional() }), z.array(backupRow)),
  /** Progress, and null when a backup or a check of one has ended. */
  changed: event(z.object({ running: backupProgress.nullable() })),
}
