/** Tables and statements of the text index. A content is what documents with the same bytes and type say; captures refer to it, so that equal
 *  documents are found once and counted. */
import type { Store } from '../../../storage/storage.ts'

/** Changes when the tables or the form of the words do: a new version of Loupe then builds its own index. */
export const textSchemaVersion = 1

export const textSchema = `
CREATE TABLE content (
  id INTEGER PRIMARY KEY,
  -- Digest, media type and charset: what decides how the bytes are read.
  key TEXT NOT NULL UNIQUE,
  extraction INTEGER NOT NULL,
  title TEXT NOT NULL,
  -- The first.
  heading TEXT NOT NULL,
  description TEXT NOT NULL,
  -- As read; deflated where it is long.
  body BLOB NOT NULL
);
CREATE INDEX content_by_extraction ON content (extraction);
-- The column title has the first heading, too. Marks are part of words: they are vowels in the scripts of India.
CREATE VIRTUAL TABLE words USING fts5 (title, headings, description, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
-- Hosts, media types and languages.
CREATE TABLE label (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE capture (
  id INTEGER PRIMARY KEY,
  -- Hash of job, URL, time and part.
  key BLOB NOT NULL UNIQUE,
  -- 0: of no job.
  job INTEGER NOT NULL,
  content_id INTEGER REFERENCES content (id),
  -- The key of the content that a revisit refers to and that is not here.
  awaited TEXT,
  host_id INTEGER NOT NULL,
  type_id INTEGER NOT NULL,
  language_id INTEGER NOT NULL,
  captured_ms INTEGER NOT NULL,
  year INTEGER NOT NULL,
  status INTEGER NOT NULL,
  url TEXT NOT NULL,
  file TEXT NOT NULL,
  offset INTEGER NOT NULL
);
CREATE INDEX capture_by_content ON capture (content_id, host_id, type_id, language_id, year, status, job);
CREATE INDEX capture_by_job ON capture (job, content_id);
CREATE INDEX capture_awaiting ON capture (awaited) WHERE awaited IS NOT NULL;
-- Archive files that are read or are to be read, and how far.
CREATE TABLE file (
  name TEXT PRIMARY KEY,
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  extraction INTEGER NOT NULL
) WITHOUT ROWID;
-- Jobs whose documents are being removed.
CREATE TABLE leaving (job INTEGER PRIMARY KEY);
`

/** A capture as it is stored. */
export interface CaptureRow {
  key: Uint8Array
  job: number
  content: number | null
  awaited: string | null
  host: number
  type: number
  language: number
  capturedMs: number
  year: number
  status: number
  url: string
  file: string
  offset: number
}

/** A content as it is stored. */
export interface StoredText {
  extraction: number
  title: string
  heading: string
  description: string
  body: string | Uint8Array
}

/** What is compared when a capture is given again. */
export interface StoredCapture {
  content: number | null
  /** Of its content, or of that which it awaits. */
  contentKey: string
  status: number
  file: string
  offset: number
}

/** How far an archive file was read. */
export interface FileRow {
  name: string
  job: number
  position: number
  isComplete: number
  extraction: number
}

/** Prepares the statements that write. */
export function textWriteStatements(store: Store) {
  return {
    content: store.statement<{ key: string }, { id: number; extraction: number }>(
      'SELECT id, extraction FROM content WHERE key = @key',
    ),
    addContent: store.statement<StoredText & { key: string }, { id: number }>(
      `INSERT INTO content (key, extraction, title, heading, description, body)
       VALUES (@key, @extraction, @title, @heading, @description, @body)
       RETURNING id`,
    ),
    replaceContent: store.statement<StoredText & { id: number }>(
      `UPDATE content SET extraction = @extraction, title = @title, heading = @heading, description = @description, body = @body
       WHERE id = @id`,
    ),
    removeWords: store.statement<{ id: number }>('DELETE FROM words WHERE rowid = @id'),
    addWords: store.statement<{ id: number; title: string; headings: string; description: string; text: string }>(
      'INSERT INTO words (rowid, title, headings, description, text) VALUES (@id, @title, @headings, @description, @text)',
    ),
    label: store.statement<{ text: string }, { id: number }>('SELECT id FROM label WHERE text = @text'),
    addLabel: store.statement<{ text: string }, { id: number }>('INSERT INTO label (text) VALUES (@text) RETURNING id'),
    capture: store.statement<{ key: Uint8Array }, StoredCapture>(
      `SELECT content_id AS content, COALESCE(content.key, awaited) AS contentKey, status, file, offset
       FROM capture LEFT JOIN content ON content.id = content_id WHERE capture.key = @key`,
    ),
    putCapture: store.statement<CaptureRow>(
      `INSERT INTO capture (key, job, content_id, awaited, host_id, type_id, language_id, captured_ms, year, status, url, file, offset)
       VALUES (@key, @job, @content, @awaited, @host, @type, @language, @capturedMs, @year, @status, @url, @file, @offset)
       ON CONFLICT (key) DO UPDATE SET content_id = excluded.content_id, awaited = excluded.awaited, type_id = excluded.type_id,
         language_id = excluded.language_id, status = excluded.status, file = excluded.file, offset = excluded.offset`,
    ),
    /** Uses capture_awaiting. */
    anyAwaiting: store.statement<object, { id: number }>('SELECT id FROM capture WHERE awaited IS NOT NULL LIMIT 1'),
    attach: store.statement<{ content: number; key: string; language: number }>(
      'UPDATE capture SET content_id = @content, awaited = NULL, language_id = @language WHERE awaited = @key',
    ),
    languageOf: store.statement<{ content: number }, { language: number }>(
      'SELECT language_id AS language FROM capture INDEXED BY capture_by_content WHERE content_id = @content LIMIT 1',
    ),
    relabel: store.statement<{ content: number; language: number }>(
      'UPDATE capture SET language_id = @language WHERE content_id = @content',
    ),
    removeContent: store.statement<{ id: number }>(
      `DELETE FROM content WHERE id = @id AND NOT EXISTS (
         SELECT 1 FROM capture INDEXED BY capture_by_content WHERE content_id = @id)`,
    ),
    file: store.statement<{ name: string }, FileRow>(
      'SELECT name, job, position, is_complete AS isComplete, extraction FROM file WHERE name = @name',
    ),
    putFile: store.statement<FileRow>(
      `INSERT INTO file (name, job, position, is_complete, extraction) VALUES (@name, @job, @position, @isComplete, @extraction)
       ON CONFLICT (name) DO UPDATE SET position = excluded.position, is_complete = excluded.is_complete, extraction = excluded.extraction`,
    ),
    /** A file that is to be read. */
    noteFile: store.statement<Pick<FileRow, 'name' | 'job' | 'extraction'>>(
      `INSERT OR IGNORE INTO file (name, job, position, is_complete, extraction) VALUES (@name, @job, 0, 0, @extraction)`,
    ),
    isLeaving: store.statement<{ job: number }, { job: number }>('SELECT job FROM leaving WHERE job = @job'),
    merge: store.statement<{ pages: number }>("INSERT INTO words (words, rank) VALUES ('merge', @pages)"),
  }
}

/** Prepares the statements with which documents leave. */
export function leavingStatements(store: Store) {
  return {
    leaving: store.statement<object, { job: number }>('SELECT job FROM leaving ORDER BY job'),
    leave: store.statement<{ job: number }>('INSERT OR IGNORE INTO leaving (job) VALUES (@job)'),
    forgetFiles: store.statement<{ job: number }>('DELETE FROM file WHERE job = @job'),
    some: store.statement<{ job: number; limit: number }, { id: number; content: number | null }>(
      'SELECT id, content_id AS content FROM capture INDEXED BY capture_by_job WHERE job = @job LIMIT @limit',
    ),
    removeCapture: store.statement<{ id: number }>('DELETE FROM capture WHERE id = @id'),
    left: store.statement<{ job: number }>('DELETE FROM leaving WHERE job = @job'),
  }
}

/** One job in the index. */
export interface IndexedJobRow {
  /** 0: documents of no job. */
  job: number
  captures: number
  /** Revisits whose content is not in the index. */
  awaiting: number
  /** Archive files that are completely read, and those that are not, whether or not reading has begun. */
  files: number
  filesBegun: number
  /** Files that were read by an earlier version of the extraction. */
  filesOutdated: number
}

/** Prepares the statements that say what is in the index. */
export function textStatusStatements(store: Store) {
  return {
    jobs: store.statement<{ extraction: number }, IndexedJobRow>(
      `WITH job AS (SELECT job FROM file UNION SELECT DISTINCT job FROM capture INDEXED BY capture_by_job)
       SELECT job.job,
         (SELECT COUNT(*) FROM capture INDEXED BY capture_by_job WHERE capture.job = job.job) AS captures,
         (SELECT COUNT(*) FROM capture INDEXED BY capture_by_job WHERE capture.job = job.job AND content_id IS NULL) AS awaiting,
         (SELECT COUNT(*) FROM file WHERE file.job = job.job AND is_complete) AS files,
         (SELECT COUNT(*) FROM file WHERE file.job = job.job AND NOT is_complete) AS filesBegun,
         (SELECT COUNT(*) FROM file WHERE file.job = job.job AND extraction <> @extraction) AS filesOutdated
       FROM job WHERE job.job NOT IN (SELECT job FROM leaving) ORDER BY job.job`,
    ),
    contents: store.statement<object, { count: number }>('SELECT COUNT(*) AS count FROM content'),
    names: store.statement<{ job: number; extraction: number }, { name: string }>(
      'SELECT name FROM file WHERE job = @job AND is_complete AND extraction = @extraction',
    ),
    awaiting: store.statement<
      { job: number; after: number; limit: number },
      { id: number; file: string; offset: number }
    >(
      `SELECT id, file, offset FROM capture INDEXED BY capture_by_job
       WHERE job = @job AND content_id IS NULL AND id > @after ORDER BY id LIMIT @limit`,
    ),
  }
}
