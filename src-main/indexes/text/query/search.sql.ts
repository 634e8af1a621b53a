/** Statements that search the text index. Their text depends on the filters of the query. */
import type { Store } from '../../../storage/storage.ts'
import type { Condition } from './conditions.ts'
import { columnWeights, type Scored } from './ranking.ts'

const ranking = `bm25(words, ${columnWeights.join(', ')})`

type Values = Record<string, string | number>

/** Which contents are searched: by their words, by a condition on their captures, or both. */
export interface Chosen {
  match: string | undefined
  condition: Condition | undefined
}

/** What a capture counts for. */
export interface FacetRow {
  content: number
  host: number
  type: number
  language: number
  year: number
  status: number
  job: number
  capturedMs: number
}

/** A content that was found, at its newest capture of those that were searched. */
export interface FoundRow {
  title: string
  description: string
  /** As `packText` gives it. */
  body: string | Uint8Array
  job: number
  url: string
  capturedMs: number
  status: number
  mediaType: string
  language: string
  file: string
  offset: number
  /** Captures of it that were searched, and their URLs. */
  captures: number
  urls: number
}

/** A capture of a content that was found. */
export interface CaptureOfFound {
  url: string
  capturedMs: number
  file: string
  offset: number
}

/** The parts of all statements about these contents. */
function chosenParts({ match, condition }: Chosen) {
  const having = condition === undefined ? '' : ` WHERE ${condition.sql}`
  // The plus sign: SQLite would otherwise ask FTS5 for the words once per capture.
  const captured = `SELECT content_id FROM capture${having}${having === '' ? ' WHERE' : ' AND'} content_id IS NOT NULL`
  const chosen =
    match === undefined
      ? captured
      : `SELECT rowid FROM words WHERE words MATCH @match${condition === undefined ? '' : ` AND +rowid IN (${captured})`}`
  const values: Values = { ...condition?.values, ...(match !== undefined && { match }) }
  const also = condition === undefined ? '' : ` AND ${condition.sql}`
  return { having, captured, chosen, values, also }
}

/** Returns the statement for the captures of these contents that were searched, newest first, and its values. */
export function capturesStatement(store: Store, chosenOf: Chosen) {
  const { chosen, values, also } = chosenParts(chosenOf)
  return {
    values,
    captures: store.statement<Values & { limit: number }, CaptureOfFound>(
      `SELECT url, captured_ms AS capturedMs, file, offset FROM capture WHERE content_id IN (${chosen})${also}
       ORDER BY captured_ms DESC, id LIMIT @limit`,
    ),
  }
}

/** Returns the statements for these contents, and the values that all of them take. */
export function searchStatements(store: Store, chosenOf: Chosen) {
  const { match, condition } = chosenOf
  const { having, captured, chosen, values, also } = chosenParts(chosenOf)
  return {
    values,
    /** The best contents in their order; without words the newest. Equal ones are in the order in which they came into the index. */
    ranked: store.statement<Values & { limit: number }, Scored>(
      match === undefined
        ? `SELECT content_id AS id, 0 AS score FROM capture${having}${having === '' ? ' WHERE' : ' AND'} content_id IS NOT NULL
           GROUP BY content_id ORDER BY MAX(captured_ms) DESC, content_id LIMIT @limit`
        : `SELECT rowid AS id, ${ranking} AS score FROM words WHERE words MATCH @match
           ${condition === undefined ? '' : `AND +rowid IN (${captured})`} ORDER BY score, rowid LIMIT @limit`,
    ),
    total: store.statement<Values, { count: number }>(
      match === undefined
        ? `SELECT COUNT(DISTINCT content_id) AS count FROM (${captured})`
        : `SELECT COUNT(*) AS count FROM (${chosen})`,
    ),
    facets: store.statement<Values & { limit: number }, FacetRow>(
      `SELECT content_id AS content, host_id AS host, type_id AS type, language_id AS language, year, status, job, captured_ms AS capturedMs
       FROM capture WHERE content_id IN (${chosen})${also} LIMIT @limit`,
    ),
    /** Contents, a list of ids as JSON, in this order. One that has left meanwhile is not among them. */
    found: store.statement<Values & { ids: string }, FoundRow>(
      `WITH counted AS (
         SELECT content_id, COUNT(*) AS captures, COUNT(DISTINCT url) AS urls, MAX(captured_ms) AS newest_ms
         FROM capture INDEXED BY capture_by_content
         WHERE content_id IN (SELECT value FROM json_each(@ids))${also} GROUP BY content_id)
       SELECT title, description, body, job, url, captured_ms AS capturedMs, status, type.text AS mediaType,
         language.text AS language, file, offset, captures, urls
       FROM json_each(@ids) AS asked JOIN counted ON counted.content_id = asked.value JOIN content ON content.id = asked.value
         JOIN capture ON capture.id = (
           SELECT MIN(id) FROM capture INDEXED BY capture_by_content
           WHERE content_id = asked.value AND captured_ms = newest_ms${also})
         JOIN label AS type ON type.id = type_id JOIN label AS language ON language.id = language_id
       ORDER BY asked.key`,
    ),
  }
}

/** Prepares the statements that need no query. */
export function textReadStatements(store: Store) {
  return {
    /** Of contents, a list of ids as JSON. */
    titles: store.statement<{ ids: string }, { id: number; title: string; heading: string }>(
      'SELECT id, title, heading FROM content WHERE id IN (SELECT value FROM json_each(@ids))',
    ),
    label: store.statement<{ id: number }, { text: string }>('SELECT text FROM label WHERE id = @id'),
    contents: store.statement<object, { contents: number }>('SELECT COUNT(*) AS contents FROM content'),
    anyLeaving: store.statement<object, { job: number }>('SELECT job FROM leaving LIMIT 1'),
    isWord: store.statement<{ word: string }, { documents: number }>(
      'SELECT doc AS documents FROM vocabulary WHERE term = @word',
    ),
    /** Words of the index in a range, for suggestions. */
    words: store.statement<{ from: string; to: string; limit: number }, { word: string; documents: number }>(
      'SELECT term AS word, doc AS documents FROM vocabulary WHERE term >= @from AND term < @to LIMIT @limit',
    ),
  }
}
