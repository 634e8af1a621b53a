/** The audit trail: who did what to ground truth, when, to what, and how it was before and after. It is only added to:
 *  triggers refuse every UPDATE and DELETE, and each entry holds the hash of the entry before it, so a change that gets around
 *  the triggers breaks the chain at that entry. Entries removed at the end show by the file next to the database (`auditHead.ts`).
 *  Deliberately not here: what is told of each action, which is for those who do it. */
import type { AuditActionName } from '../../contract/shapes/choices.ts'
import type { AuditEntry, BrokenLink } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { auditStatements, firstPrevious, hashOf, type EntryFilter, type EntryRow } from './audit.sql.ts'
import { originOf } from './auditOrigin.ts'
import { auditBatchCount, fileActionsCountMax } from '../files/limits.ts'

export interface AuditAction {
  /** 'job 7', 'person', 'schedule', 'recovery'. */
  who: string
  what: AuditActionName
  /** The file, the check, the setting that it was done to. */
  subject: string
  /** As JSON has it; absent where there was nothing. */
  was?: unknown
  became?: unknown
}

export interface Link {
  number: number
  hash: string
}

export interface AuditTrail {
  /** Appends an entry. It is one statement within the caller's transaction, so the action and its entry appear together. */
  append(action: AuditAction, nowMs: number): void
  head(): Link | undefined
  hashOf(number: number): string | undefined
  /** Newest first. */
  page(wanted: EntryFilter & { offset: number; limit: number }): { rows: AuditEntry[]; total: number }
  /** The actions on one file, newest first. */
  ofFile(name: string): AuditEntry[]
  /** From the first entry to the last; ends at the first that is not as it was written. `pause` is awaited now and then, and
   *  told how many are in order so far. */
  verifyChain(pause: (entries: number) => Promise<void>): Promise<{ entries: number; broken: BrokenLink | undefined }>
}

export function auditTrail(store: Store): AuditTrail {
  const statements = auditStatements(store)
  return {
    append({ who, what, subject, was, became }, nowMs) {
      const { account = null, host = null, shell = null } = store.user ? originOf(store.user, who) : {}
      const told = { who, account, host, shell, what, subject, was: jsonOf(was), became: jsonOf(became) }
      statements.append.run({ nowMs, ...told })
    },
    head: () => statements.head.get({}),
    hashOf: (number) => statements.entry.get({ number })?.hash,
    page({ offset, limit, ...filter }) {
      const chosen = statements.chosen(filter)
      return { rows: chosen.page({ offset, limit }).map(shown), total: chosen.total() }
    },
    ofFile: (name) => statements.ofFile.all({ name, limit: fileActionsCountMax }).map(shown),
    async verifyChain(pause) {
      let last: Link = { number: 0, hash: firstPrevious }
      for (;;) {
        const rows = statements.after.all({ number: last.number, limit: auditBatchCount })
        for (const row of rows) {
          const broken = brokenAt(row, last)
          if (broken) return { entries: last.number, broken }
          last = row
        }
        if (rows.length < auditBatchCount) return { entries: last.number, broken: undefined }
        await pause(last.number)
      }
    },
  }
}

/** What is wrong with the entry that follows `last`; undefined when it is the one that was written there. */
function brokenAt(row: EntryRow, last: Link): BrokenLink | undefined {
  const number = last.number + 1
  if (row.number !== number)
    return { number, kind: 'removed', text: `entry ${number} is not there: entry ${row.number} follows ${last.number}` }
  if (hashOf(row) !== row.hash)
    return { number, kind: 'changed', text: `entry ${number} is not what was written: its hash does not agree` }
  if (row.previous !== last.hash)
    return { number, kind: 'unlinked', text: `entry ${number} was not written after the entry that is before it now` }
  return undefined
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function shown(row: EntryRow): AuditEntry {
  return {
    number: row.number,
    at: new Date(row.atMs).toISOString(),
    who: row.who,
    origin: originIn(row),
    what: row.what,
    subject: row.subject,
    was: parsed(row.was),
    became: parsed(row.became),
    previous: row.previous,
    hash: row.hash,
  }
}

/** One of them alone is of an entry that somebody edited; it is still to be shown. */
function originIn({ account, host, shell }: EntryRow): AuditEntry['origin'] {
  if (account === null && host === null && shell === null) return null
  return { account: account ?? '', host: host ?? '', shell: shell ?? '' }
}

/** An entry that somebody edited is still to be shown. */
function parsed(json: string | null): unknown {
  if (json === null) return null
  try {
    return JSON.parse(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return json
  }
}
