/** Shapes of the audit log and of its verification. */
import { z } from 'zod'
import { count, messageShape, time } from '../shapes/shapes.ts'

/**
 * Account, host and shell through which the action was requested. The account is that of the caller: of Loupe where it has accounts, else of
 * the operating system. The host is the machine of the engine, or the IP address of the caller. For actions of Loupe itself: account, host
 * and shell in which it ran.
 */
export const auditOrigin = z.object({
  account: z.string(),
  host: z.string(),
  /** One of `shells`; a text, so that edited entries can still be displayed. */
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

/** The first entry that is not as it was written. */
export const brokenLink = z.object({
  number: z.int().min(1),
  kind: z.enum(['removed', 'changed', 'unlinked']),
  message: messageShape,
})
export type BrokenLink = z.output<typeof brokenLink>

/** The comparison of loupe.audit with the log. `behind` is no sign of tampering: Loupe was killed between the two writes. */
export const auditWitness = z.object({
  state: z.enum(['agrees', 'behind', 'absent', 'unreadable', 'contradicts']),
  /** The entry that it names. */
  number: z.int().min(1).nullable(),
})
export type AuditWitness = z.output<typeof auditWitness>

/** Shape of the result of verifying the audit log. */
export const auditVerdict = z.object({
  /** Whether no entry was changed, removed or moved, and loupe.audit does not contradict the log. */
  whole: z.boolean(),
  /** Entries in order from the first: all of them, or those before the first that is not. */
  entries: count,
  broken: brokenLink.nullable(),
  head: z.string().nullable(),
  witness: auditWitness,
  /** The result as text for the user. */
  message: messageShape,
})
export type AuditVerdict = z.output<typeof auditVerdict>

/** Progress of the verification of the audit log: entries verified, of those that existed when it began. */
export const auditProgress = z.object({ entries: count, entriesTotal: count })
export type AuditProgress = z.output<typeof auditProgress>
