/** What deduplication saved, and what refers to what: every capture without content of its own, with its original. */

/** Sums over captures that have no content of their own. */
export interface Saved {
  captures: number
  /** Bytes of the records that would have been stored again, without those that were stored instead; as compressed in the archive. */
  bytes: number
}

/** Captures of one job whose content is in one file, also if no replica provides the file now. */
export interface FileReferences extends Saved {
  /** File with the content, and its job. */
  file: string
  fileJob: number | null
  /** Job of the captures; null: files that belong to no job. */
  job: number | null
  /** Those whose content is in no other file. */
  onlyHere: number
}

/** Why a capture has no content. `absent`: the archive has no capture with its payload. `unavailable`: no replica provides the file of
 *  its original. `unnamed`: neither the index nor its record says what its original is. `unreadable`: its record, which would say it,
 *  cannot be read. */
export type UnresolvedWhy = 'absent' | 'unavailable' | 'unnamed' | 'unreadable'

/** A capture without content. */
export interface Unresolved {
  url: string
  timestampMs: number
  /** Archive file with its record or its crawl log. */
  file: string
  job: number | null
  why: UnresolvedWhy
  /** The file with its content, which no replica provides; null: not known. */
  contentFile: string | null
}

/** All of it. */
export interface Ledger extends Saved {
  byJob: (Saved & { job: number | null })[]
  /** The hosts with the most saved bytes, at most `hostsMax`. */
  byHost: (Saved & { host: string })[]
  byType: (Saved & { mediaType: string })[]
  references: FileReferences[]
  /** The first of them, at most `unresolvedMax`. */
  unresolved: Unresolved[]
  unresolvedTotal: number
}

/** The ledger of an archive without files. */
export const emptyLedger: Ledger = {
  captures: 0,
  bytes: 0,
  byJob: [],
  byHost: [],
  byType: [],
  references: [],
  unresolved: [],
  unresolvedTotal: 0,
}

/** What the thread works on. */
export interface LedgerInput {
  /** Path of a complete capture database. */
  database: string
  /** Path of a copy of each file, by its name; absent: no replica provides it. */
  copies: ReadonlyMap<string, string>
  /** Only captures of these jobs; absent: all. */
  jobs?: readonly number[] | undefined
}
