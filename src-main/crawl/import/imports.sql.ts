/** SQL statements for the files of an import and the findings on them. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { ImportedFileState } from '../../contract/states/states.ts'
import type { Store } from '../../storage/storage.ts'

/** One file of an import. */
export interface ImportedFileRow {
  id: number
  job: number
  path: string
  entry: string
  kind: string
  sha256: string | null
  name: string | null
  deed: FileTreatment | null
  state: ImportedFileState
  bytesTotal: number
  bytesDone: number
  records: number
  captures: number
  errors: number
  warnings: number
  notes: number
  problem: string | null
  code: FaultCode | null
  /** In state KNOWN, the name of the same file in the archive, and the job that has it now. */
  knownAs: string | null
  knownJob: number | null
}

/** How the bytes of a file were treated on import. */
export type FileTreatment = 'kept' | 'recompressed' | 'converted'

/** Severity of a finding. */
export type Severity = 'error' | 'warning' | 'note'

/** One finding on an imported file. */
export interface FindingRow {
  rule: string
  severity: Severity
  /** A stored message. */
  message: string
  record: number | null
  offset: number | null
}

/** Selects the findings of a job; `file` and `severity` restrict the selection unless null. */
export interface FindingChoice {
  job: number
  file: number | null
  severity: Severity | null
}

const columns = `id, job_id AS job, path, entry, kind, sha256, name, deed, state, bytes_total AS bytesTotal, bytes_done AS bytesDone,
  records, captures, errors, warnings, notes, problem, code, known_as AS knownAs,
  COALESCE((SELECT archive_file.job_id FROM archive_file WHERE archive_file.name = imported_file.known_as),
           (SELECT other.job_id FROM imported_file AS other WHERE other.name = imported_file.known_as)) AS knownJob`

const ofFiles = `imported_file.id IN (SELECT id FROM imported_file WHERE job_id = @job AND @file IS NULL
  UNION ALL SELECT id FROM imported_file WHERE id = @file AND job_id = @job)`
const chosen = (table: string) => `${ofFiles} AND (@severity IS NULL OR ${table}.severity = @severity)`

/** Prepares the statements. */
export function importStatements(store: Store) {
  return {
    /** Adds a file. One that is already listed stays unchanged, since an interrupted listing is repeated from the start. */
    add: store.statement<
      { job: number; path: string; entry: string; kind: string; state: string; bytes: number; problem: string | null },
      { id: number }
    >(
      `INSERT INTO imported_file (job_id, path, entry, kind, state, bytes_total, problem)
       VALUES (@job, @path, @entry, @kind, @state, @bytes, @problem) ON CONFLICT (job_id, path, entry) DO NOTHING RETURNING id`,
    ),
    ofJob: store.statement<{ job: number }, ImportedFileRow>(
      `SELECT ${columns} FROM imported_file WHERE job_id = @job ORDER BY id`,
    ),
    /** Counts the archive files that the job has added; a package itself does not count, the files in it do. */
    countImported: store.statement<{ job: number }, { count: number }>(
      `SELECT count(*) AS count FROM imported_file WHERE job_id = @job AND state = 'TAKEN' AND name IS NOT NULL`,
    ),
    one: store.statement<{ id: number }, ImportedFileRow>(`SELECT ${columns} FROM imported_file WHERE id = @id`),
    holder: store.statement<{ name: string }, { job: number }>(
      `SELECT job_id AS job FROM imported_file WHERE name = @name`,
    ),
    /** `ofName` and `ofPlace` each use an index of their own. */
    ofName: store.statement<{ job: number; name: string }, { id: number }>(
      `SELECT id FROM imported_file WHERE name = @name AND job_id = @job`,
    ),
    ofPlace: store.statement<{ job: number; path: string; entry: string }, { id: number }>(
      `SELECT id FROM imported_file WHERE job_id = @job AND path = @path AND entry = @entry`,
    ),
    /** The file that an import made from a file with these bytes. Uses imported_file_by_sha256. */
    ofSha256: store.statement<{ sha256: string }, { name: string; job: number }>(
      `SELECT name, job_id AS job FROM imported_file WHERE sha256 = @sha256 AND name IS NOT NULL LIMIT 1`,
    ),
    /** Uses imported_file_by_state. */
    inState: store.statement<{ job: number; state: string; limit: number }, ImportedFileRow>(
      `SELECT ${columns} FROM imported_file WHERE job_id = @job AND state = @state ORDER BY id LIMIT @limit`,
    ),
    /** Reserves the name before the file has it, so that no other file gets it. */
    setName: store.statement<{ id: number; name: string; sha256: string; deed: FileTreatment }>(
      `UPDATE imported_file SET name = @name, sha256 = @sha256, deed = @deed WHERE id = @id`,
    ),
    rename: store.statement<{ id: number; name: string }>(`UPDATE imported_file SET name = @name WHERE id = @id`),
    renameFile: store.statement<{ id: number; name: string }>(`UPDATE harvest_file SET name = @name WHERE id = @id`),
    /** Gives the file a new name, because its name is that of an archived file; it is recompressed under the new one. */
    setApart: store.statement<{ id: number; name: string }>(
      `UPDATE imported_file SET name = @name, deed = 'recompressed' WHERE id = @id`,
    ),
    setDeed: store.statement<{ id: number; deed: FileTreatment }>(
      `UPDATE imported_file SET deed = @deed WHERE id = @id`,
    ),
    setKind: store.statement<{ id: number; kind: string }>(`UPDATE imported_file SET kind = @kind WHERE id = @id`),
    setProblem: store.statement<{ id: number; problem: string; code: FaultCode }>(
      `UPDATE imported_file SET problem = @problem, code = @code WHERE id = @id`,
    ),
    setKnown: store.statement<{ id: number; name: string; sha256: string; problem: string }>(
      `UPDATE imported_file SET known_as = @name, sha256 = @sha256, problem = @problem, bytes_done = bytes_total WHERE id = @id`,
    ),
    dropName: store.statement<{ id: number }>(`UPDATE imported_file SET name = NULL WHERE id = @id`),
    setDone: store.statement<{ id: number; bytes: number }>(
      `UPDATE imported_file SET bytes_done = @bytes WHERE id = @id`,
    ),
    settle: store.statement<{
      id: number
      records: number
      captures: number
      errors: number
      warnings: number
      notes: number
      problem: string | null
    }>(
      `UPDATE imported_file SET bytes_done = bytes_total, records = @records, captures = @captures, errors = @errors,
         warnings = @warnings, notes = @notes, problem = @problem WHERE id = @id`,
    ),
    addFinding: store.statement<FindingRow & { file: number }>(
      `INSERT INTO imported_finding (file_id, rule, severity, message, record, offset)
       VALUES (@file, @rule, @severity, @message, @record, @offset)`,
    ),
    addCount: store.statement<{ file: number; rule: string; severity: Severity; count: number }>(
      `INSERT INTO imported_finding_count (file_id, rule, severity, count) VALUES (@file, @rule, @severity, @count)`,
    ),
    addTruncation: store.statement<{ job: number; reason: Truncation; file: number; captures: number }>(
      `INSERT INTO imported_truncation (job_id, reason, file_id, captures) VALUES (@job, @reason, @file, @captures)`,
    ),
    truncated: store.statement<{ job: number }, { file: number; reason: Truncation; captures: number }>(
      `SELECT file_id AS file, reason, captures FROM imported_truncation WHERE job_id = @job ORDER BY file_id, reason`,
    ),
    findings: store.statement<
      FindingChoice & { rule: string | null; limit: number; offset: number },
      FindingRow & { path: string; entry: string; name: string | null; state: ImportedFileState }
    >(
      `SELECT imported_finding.rule, imported_finding.severity, imported_finding.message, imported_finding.record,
              imported_finding.offset, imported_file.path, imported_file.entry, imported_file.name, imported_file.state
       FROM imported_file JOIN imported_finding ON imported_finding.file_id = imported_file.id
       WHERE ${chosen('imported_finding')} AND (@rule IS NULL OR imported_finding.rule = @rule)
       ORDER BY imported_file.id, imported_finding.id LIMIT @limit OFFSET @offset`,
    ),
    findingsTotal: store.statement<FindingChoice & { rule: string | null }, { total: number }>(
      `SELECT COUNT(*) AS total FROM imported_file JOIN imported_finding ON imported_finding.file_id = imported_file.id
       WHERE ${chosen('imported_finding')} AND (@rule IS NULL OR imported_finding.rule = @rule)`,
    ),
    byRule: store.statement<FindingChoice, { rule: string; severity: Severity; count: number }>(
      `SELECT imported_finding_count.rule, imported_finding_count.severity, SUM(imported_finding_count.count) AS count
       FROM imported_file JOIN imported_finding_count ON imported_finding_count.file_id = imported_file.id
       WHERE ${chosen('imported_finding_count')} GROUP BY 1, 2
       ORDER BY CASE imported_finding_count.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, count DESC, 1`,
    ),
    addDocument: store.statement<{ file: number; entry: string; contentType: string }>(
      `INSERT INTO imported_document (file_id, entry, content_type) VALUES (@file, @entry, @contentType)`,
    ),
    documents: store.statement<
      { job: number },
      { file: number; path: string; packageEntry: string; entry: string; contentType: string }
    >(
      `SELECT imported_file.id AS file, imported_file.path, imported_file.entry AS packageEntry, imported_document.entry,
              imported_document.content_type AS contentType
       FROM imported_document JOIN imported_file ON imported_file.id = imported_document.file_id
       WHERE imported_file.job_id = @job ORDER BY imported_document.id`,
    ),
  }
}
