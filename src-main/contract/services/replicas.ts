/** Shapes of replicas: their state, the age of their copies, and their history. */
import { z } from 'zod'
import { count, messageShape, time } from '../shapes/shapes.ts'

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
  lastFailure: z
    .object({ at: time, operation: z.string(), file: z.string().nullable(), message: messageShape })
    .nullable(),
})
export type ReplicaSummary = z.output<typeof replicaSummary>

/** A replica with the ages of its copies. */
export const replicaState = replicaSummary.extend({
  /** Its location according to the settings; null when they have none. */
  place: z.string().nullable(),
  /** Copies not known to be bad, but compared too long ago; a copy that no check has examined yet was compared when it was stored. */
  overdue: count,
  /** When the first of the copies that no check has examined yet becomes overdue; null: there is none. */
  firstCheckDue: time.nullable(),
  /** The oldest comparison of a checksum; null when none was ever compared. */
  oldestVerified: time.nullable(),
})
export type ReplicaState = z.output<typeof replicaState>

/** An action on a replica and its result: a part of the strip of its history. */
export const replicaEvent = z.object({
  kind: z.enum(['missing', 'checksums', 'spot', 'repair']),
  /** Number of the check or spot check; for consecutive repairs, the entry of the first in the audit log. */
  number: z.int().min(1),
  at: time,
  begunBy: z.enum(['user', 'schedule', 'recovery']),
  /** Files of this replica that were examined, or repaired, with the total. */
  files: count,
  filesTotal: count,
  /** Findings; for repairs, the copies that could not be repaired. */
  findings: count,
  /** `unfinished`: stopped, failed, or still running. */
  state: z.enum(['done', 'doneWithFindings', 'unfinished']),
})
export type ReplicaEvent = z.output<typeof replicaEvent>
