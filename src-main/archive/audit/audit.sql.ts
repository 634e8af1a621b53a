/** Statements of the audit log, and the canonical form in which an entry is hashed.
 *
 *  The canonical form is a sequence of netstrings (length in bytes, colon, text, comma), with '~,' for null. It is unambiguous, needs
 *  no escaping rules as JSON does (RFC 8785), and is equally easy to build in SQL and in TypeScript. The hash is computed in the
 *  INSERT from the head that the same statement reads, so two writers cannot both continue from one entry.
 *
 *  Entries of earlier versions have no account, host and shell. Their hash covers the other eight fields; that of all other entries
 *  covers eleven. Netstrings are self-delimiting, so no text of eight fields equals one of eleven: these fields can be neither removed
 *  from an entry nor added to one. */
import { createHash } from 'node:crypto'
import type { AuditActor, AuditActionName } from '../../contract/shapes/choices.ts'
import type { Statement, Store } from '../../storage/storage.ts'

export interface EntryRow {
  number: number
  atMs: number
  who: string
  what: string
  subject: string
  was: string | null
  became: string | null
  previous: string
  /** Account, host and shell are all null in entries of earlier versions. */
  account: string | null
  host: string | null
  shell: string | null
  hash: string
}

/** Filter of entries; absent fields match all entries. */
export interface EntryFilter {
  what?: AuditActionName | undefined
  who?: AuditActor | undefined
  /** Prefix of the subject, case-sensitive. */
  subject?: string | undefined
}

/** Value of `previous` in the first entry. */
export const firstPrevious = '0'.repeat(64)

/** Hash of an entry in the canonical form, in hex. */
export function hashOf({ number, atMs, who, what, subject, was, became, previous, ...origin }: EntryRow): string {
  const { account, host, shell } = origin
  const hasOrigin = account !== null || host !== null || shell !== null
  const added = hasOrigin ? [account, host, shell] : []
  const fields = [String(number), String(atMs), who, what, subject, was, became, previous, ...added]
  return createHash('sha256').update(fields.map(netstring).join('')).digest('hex')
}

function netstring(text: string | null): string {
  return text === null ? '~,' : `${Buffer.byteLength(text)}:${text},`
}

const columns = 'number, at_ms AS atMs, who, what, subject, was, became, previous, account, host, shell, hash'
const netstrings = (names: readonly string[]) =>
  names
    .map(
      (name) => `CASE WHEN ${name} IS NULL THEN '~,' ELSE length(CAST(${name} AS BLOB)) || ':' || ${name} || ',' END`,
    )
    .join(' || ')
const origin = ['account', 'host', 'shell']
const hashed = `${netstrings(['number', 'nowMs', 'who', 'what', 'subject', 'was', 'became', 'previous'])} ||
  CASE WHEN COALESCE(${origin.join(', ')}) IS NULL THEN '' ELSE ${netstrings(origin)} END`

/** Statements of the audit log. There is none that changes or removes an entry. */
export function auditStatements(store: Store) {
  return {
    append: store.statement<{
      nowMs: number
      who: string
      what: string
      subject: string
      was: string | null
      became: string | null
      account: string | null
      host: string | null
      shell: string | null
    }>(
      `INSERT INTO audit (number, at_ms, who, what, subject, was, became, previous, account, host, shell, hash)
       SELECT number, nowMs, who, what, subject, was, became, previous, account, host, shell, sha256(${hashed})
       FROM (
         SELECT COALESCE(MAX(number), 0) + 1 AS number, COALESCE((SELECT hash FROM audit ORDER BY number DESC LIMIT 1), '${firstPrevious}') AS previous,
           CAST(@nowMs AS INTEGER) AS nowMs, @who AS who, @what AS what, @subject AS subject, @was AS was, @became AS became,
           @account AS account, @host AS host, @shell AS shell
         FROM audit)`,
    ),
    head: store.statement<object, { number: number; hash: string }>(
      `SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1`,
    ),
    entry: store.statement<{ number: number }, EntryRow>(`SELECT ${columns} FROM audit WHERE number = @number`),
    /** Actions on a file, newest first. Excludes actions on other subjects, which may have the same name as a file. Uses
     *  audit_by_subject. */
    ofFile: store.statement<{ name: string; limit: number }, EntryRow>(
      `SELECT ${columns} FROM audit
       WHERE subject = @name AND what NOT IN ('checkBegun', 'checkEnded', 'spotCheckBegun', 'spotCheckEnded', 'auditHeadMade', 'settings', 'databaseRestored')
       ORDER BY number DESC LIMIT @limit`,
    ),
    after: store.statement<{ number: number; limit: number }, EntryRow>(
      `SELECT ${columns} FROM audit WHERE number > @number ORDER BY number LIMIT @limit`,
    ),
    chosen: chosenStatements(store),
  }
}

interface Page {
  offset: number
  limit: number
}
type Chosen = EntryFilter & { subjectEnd?: string }
interface ChosenStatements {
  page: Statement<Chosen & Page, EntryRow>
  count: Statement<Chosen, { total: number }>
}

/** Sorts after every text that begins with a given prefix: the last code point. */
const lastLetter = '\u{10ffff}'

/** Prepares a statement for each set of conditions when it is first used. With `@what IS NULL OR …` SQLite could not use an index, and
 *  a rare action would need a scan of the whole auditLog. */
function chosenStatements(store: Store) {
  const prepared = new Map<string, ChosenStatements>()
  return (filter: EntryFilter) => {
    const where = whereOf(filter)
    const known = prepared.get(where) ?? {
      page: store.statement<Chosen & Page, EntryRow>(chosenSql(filter)),
      count: store.statement<Chosen, { total: number }>(`SELECT COUNT(*) AS total FROM audit ${where}`),
    }
    prepared.set(where, known)
    const given: Chosen = filter.subject === undefined ? filter : { ...filter, subjectEnd: filter.subject + lastLetter }
    return {
      page: (page: Page) => known.page.all({ ...given, ...page }),
      total: () => known.count.get(given)?.total ?? 0,
    }
  }
}

/** SQL for a page of entries, newest first. Uses audit_by_what, audit_by_who or audit_by_subject where they narrow the result,
 *  otherwise the order of numbers. */
export function chosenSql(filter: EntryFilter): string {
  return `SELECT ${columns} FROM audit ${whereOf(filter)} ORDER BY number DESC LIMIT @limit OFFSET @offset`
}

function whereOf({ what, who, subject }: EntryFilter): string {
  const conditions = [
    ...(subject === undefined ? [] : ['subject >= @subject AND subject < @subjectEnd']),
    // A job is recorded with its number: 'job 7'. Digits sort before the colon.
    ...(who === undefined ? [] : [who === 'job' ? `who >= 'job 0' AND who < 'job :'` : 'who = @who']),
    ...(what === undefined ? [] : ['what = @what']),
  ]
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}
