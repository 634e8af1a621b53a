/** The audit log: actor, action, time and subject of every change to the archive, with the values before and after. Entries are only
 *  added: triggers refuse UPDATE and DELETE, and each entry holds the hash of the previous one, so a change that bypasses the triggers
 *  breaks the chain at that entry. Entries removed at the end are detected by the file next to the database (`auditHead.ts`). The
 *  modules that carry out the actions decide what is recorded. */
import type { AuditActionName } from '../../contract/shapes/choices.ts'
import type { AuditEntry, BrokenLink } from '../../contract/services/audit.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { auditStatements, firstPrevious, hashOf, type EntryFilter, type EntryRow } from './audit.sql.ts'
import { originOf } from './auditOrigin.ts'
import { auditBatchCount, fileActionsCountMax } from '../files/limits.ts'

/** An action to be recorded. */
export interface AuditAction {
  /** Actor: 'job 7', 'user', 'schedule' or 'recovery', for example. */
  who: string
  what: AuditActionName
  /** Subject of the action: a file, a check or a setting, for example. */
  subject: string
  /** Value before the action, stored as JSON; absent when there was none. */
  was?: unknown
  became?: unknown
}

/** Number and hash of an entry, to which the next one is chained. */
export interface Link {
  number: number
  hash: string
}

export interface AuditLog {
  /** Appends an entry. It is one statement within the caller's transaction, so the action and its entry appear together. */
  append(action: AuditAction, nowMs: number): void
  /** Last entry; undefined when the log is empty. */
  head(): Link | undefined
  /** Hash of an entry, as stored; undefined when there is no such entry. */
  hashOf(number: number): string | undefined
  /** A page of matching entries, newest first, and their total number. */
  page(wanted: EntryFilter & { offset: number; limit: number }): { rows: AuditEntry[]; total: number }
  /** The actions on one file, newest first. */
  ofFile(name: string): AuditEntry[]
  /** Verifies the chain from the first entry and stops at the first broken one. `pause` is awaited from time to time with the number
   *  of entries verified so far. */
  verifyChain(pause: (entries: number) => Promise<void>): Promise<{ entries: number; broken: BrokenLink | undefined }>
}

/** Opens the audit log of a database. */
export function openAuditLog(store: Store): AuditLog {
  const statements = auditStatements(store)
  return {
    append({ who, what, subject, was, became }, nowMs) {
      const { account = null, host = null, shell = null } = store.user ? originOf(store.user, who) : {}
      const entry = { who, account, host, shell, what, subject, was: jsonOf(was), became: jsonOf(became) }
      statements.append.run({ nowMs, ...entry })
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

/** Checks the entry that follows `last`; undefined when it is intact. */
function brokenAt(row: EntryRow, last: Link): BrokenLink | undefined {
  const number = last.number + 1
  if (row.number !== number)
    return {
      number,
      kind: 'removed',
      message: message('audit.removed', { number, next: row.number, previous: last.number }),
    }
  if (hashOf(row) !== row.hash) return { number, kind: 'changed', message: message('audit.changed', { number }) }
  if (row.previous !== last.hash) return { number, kind: 'unlinked', message: message('audit.unlinked', { number }) }
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

/** An entry with only some of these fields was modified, but is still shown. */
function originIn({ account, host, shell }: EntryRow): AuditEntry['origin'] {
  if (account === null && host === null && shell === null) return null
  return { account: account ?? '', host: host ?? '', shell: shell ?? '' }
}

/** Parses a JSON value. Returns the text itself when it is not valid JSON, so that a modified entry is still shown. */
function parsed(json: string | null): unknown {
  if (json === null) return null
  try {
    return JSON.parse(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return json
  }
}
