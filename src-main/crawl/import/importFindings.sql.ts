/** Findings on imported files: the first ones of each rule with their places, and the count of each rule. */
import type { ImportedFileState } from '../../contract/states/states.ts'
import type { Store } from '../../storage/storage.ts'

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

const ofFiles = `imported_file.id IN (SELECT id FROM imported_file WHERE job_id = @job AND @file IS NULL
  UNION ALL SELECT id FROM imported_file WHERE id = @file AND job_id = @job)`
const chosen = (table: string) => `${ofFiles} AND (@severity IS NULL OR ${table}.severity = @severity)`

/** Prepares the statements. */
export function importFindingStatements(store: Store) {
  return {
    addFinding: store.statement<FindingRow & { file: number }>(
      `INSERT INTO imported_finding (file_id, rule, severity, message, record, offset)
       VALUES (@file, @rule, @severity, @message, @record, @offset)`,
    ),
    addCount: store.statement<{ file: number; rule: string; severity: Severity; count: number }>(
      `INSERT INTO imported_finding_count (file_id, rule, severity, count) VALUES (@file, @rule, @severity, @count)`,
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
  }
}
