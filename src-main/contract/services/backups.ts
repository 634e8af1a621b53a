/** Backups of the database: what may be asked of them, and what stands in the manifest of each. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { count, nothing, sha256, time } from '../shapes/shapes.ts'

/** What the manifest next to a backup says of it; `sha256sum -c` reads the last line of the same file. */
export const backupManifest = z.object({
  /** Which archive it is of. */
  archive: z.string(),
  /** Where that archive was. */
  folder: z.string(),
  software: z.string(),
  made: time,
  /** When the database was last compared and was still the same: then no further backup is made. */
  confirmed: time,
  /** When the file was last read and compared with its checksum. */
  verified: time,
  /** What was wrong with the file when it was last read; null: nothing. */
  problem: z.string().nullable(),
  bytes: count,
  schemaVersion: z.int().min(1),
  jobs: count,
  files: count,
  /** The last entry of the audit trail. */
  audit: z.object({ number: z.int().min(1), hash: sha256 }).nullable(),
  /** The text of loupe.toml: a database alone does not say where the replicas are. */
  settings: z.string().nullable(),
})
export type BackupManifest = z.output<typeof backupManifest>

/** What the last attempts came to, as a file of the archive keeps it: it can be read when the database cannot. */
export const backupState = z.object({
  /** Null: not known yet. */
  archive: z.string().nullable(),
  /** The folder of the last backup that was made or confirmed. */
  folder: z.string().nullable(),
  last: z.object({ name: z.string(), made: time, confirmed: time, bytes: count }).nullable(),
  /** Of the last attempt, when it failed, with how many failed in a row. */
  failure: z.object({ at: time, folder: z.string(), tries: z.int().min(1), text: z.string() }).nullable(),
  /** What the last integrity check of the database itself found. */
  damage: z.object({ at: time, text: z.string() }).nullable(),
})
export type BackupState = z.output<typeof backupState>

/** `missing`: its manifest is there and the file is not. `unreadable`: the manifest cannot be read. `otherArchive`: it is of another
 *  archive that has its backups in the same folder. */
const backupStates = ['good', 'damaged', 'missing', 'unreadable', 'otherArchive'] as const

export const backupRow = z.object({
  name: z.string(),
  path: z.string(),
  state: z.enum(backupStates),
  /** What is wrong with it, as a sentence; null when nothing is. */
  problem: z.string().nullable(),
  sha256: z.string().nullable(),
  /** Null when the manifest cannot be read. */
  manifest: backupManifest.omit({ problem: true, settings: true }).nullable(),
})
export type BackupRow = z.output<typeof backupRow>

/** `failed`: the last attempt. `overdue`: none was made for too long, or none ever. `database`: the database itself is damaged.
 *  The others are about files in the folder of backups. */
const backupFindingKinds = ['database', 'failed', 'overdue', 'damaged', 'missing', 'unreadable'] as const

export const backupFinding = z.object({
  kind: z.enum(backupFindingKinds),
  /** Which backup it is about; null for what is about none. */
  name: z.string().nullable(),
  /** What failed, why, and what to do. */
  text: z.string(),
})
export type BackupFinding = z.output<typeof backupFinding>

export const backupProgress = z.object({
  phase: z.enum(['copying', 'checking', 'writing', 'verifying']),
  /** Of this phase, from 0 to 1. */
  share: z.number().min(0).max(1),
})
export type BackupProgress = z.output<typeof backupProgress>

export const backupStanding = z.object({
  folder: z.string(),
  /** False: the folder cannot be read now, because its drive is not connected, for example. Null: there was never a backup in it. */
  reachable: z.boolean().nullable(),
  /** 0: no schedule. */
  everyHours: count,
  keepCount: count,
  keepDays: count,
  /** The newest backup that is good as far as anyone knows; null when there is none. */
  last: z.object({ name: z.string(), made: time, confirmed: time, bytes: count }).nullable(),
  /** Good ones of this archive in the folder, and what they take. */
  kept: count,
  bytes: count,
  /** When the next one is made; null when none is planned. */
  next: time.nullable(),
  /** It is on another file system than the archive and all of its replicas; null when that cannot be known now. */
  apart: z.boolean().nullable(),
  /** What was stored until now is in it, or will be by its schedule. */
  current: z.boolean(),
  findings: z.array(backupFinding),
  running: backupProgress.nullable(),
})
export type BackupStanding = z.output<typeof backupStanding>

export const backupMade = z.object({
  /** `unchanged`: the newest backup has the same content and was read again, so no further one was written. */
  outcome: z.enum(['made', 'unchanged']),
  backup: backupRow,
  /** Older ones that were removed by the rules of keeping. */
  removed: z.array(z.string()),
})
export type BackupMade = z.output<typeof backupMade>

export const backupCalls = {
  standing: call(nothing, backupStanding),
  /** Newest first. */
  list: call(nothing, z.array(backupRow)),
  /** Returns when the backup was made and verified. `emptied`: the folder holds none of the backups that were made in it, and the
   *  caller knows that it is the right one. */
  make: call(z.strictObject({ emptied: z.boolean().default(false) }), backupMade),
  /** Reads one backup, or all of this archive, and compares checksums and integrity. */
  verify: call(z.strictObject({ name: z.string().min(1).optional() }), z.array(backupRow)),
  /** Progress, and null when a backup or a check of one has ended. */
  changed: event(z.object({ running: backupProgress.nullable() })),
}
