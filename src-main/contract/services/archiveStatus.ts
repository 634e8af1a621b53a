/** Shapes of the state of the archive as a whole: the status of all replicas, and the preservation report. */
import { z } from 'zod'
import { count, messageShape, time } from '../shapes/shapes.ts'
import { lostFile, filesOutside } from './archivedFiles.ts'
import { auditVerdict } from './audit.ts'
import { backupStatus } from './backups.ts'
import { preservationFinding, agingCopy, checkSummary } from './checks.ts'
import { replicaState } from './replicas.ts'
import { fileVote, spotFinding, spotCheckSummary } from './votes.ts'

/** Shape of the state of all replicas. */
export const archiveStatus = z.object({
  at: time,
  /**
   * Whether nothing needs the user's attention: all replicas are available, nothing is wrong or overdue, and there is no file outside of
   * the replicas or unknown in them.
   */
  fine: z.boolean(),
  overdueDays: z.int().min(1),
  /** Files without a good copy in any replica: the first ones, where `lostTotal` is larger. */
  lost: z.array(lostFile),
  lostTotal: count,
  replicas: z.array(replicaState),
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
  backup: backupStatus,
})
export type ArchiveStatus = z.output<typeof archiveStatus>

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
          requirement: messageShape,
          /** `declared`: the institution declares it in the settings; Loupe cannot verify it. */
          state: z.enum(['met', 'declared', 'notMet']),
          /** Whether Loupe can check the condition. */
          isChecked: z.boolean(),
          /** Whether the institution may declare it (setting `preservation.declared`). */
          isDeclarable: z.boolean(),
          need: messageShape,
        }),
      ),
      /** What is missing for the next level. */
      next: z.array(messageShape),
    }),
  ),
})
export type PreservationReport = z.output<typeof preservationReport>
