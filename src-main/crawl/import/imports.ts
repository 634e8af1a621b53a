/** The files of an import, their progress and the findings on them, for display. This module only reads the database;
 *  `importFiles` imports the files, in the crawl's thread. */
import type { FileFinding } from '../../contract/services/fileFindings.ts'
import type { ImportedFile } from '../../contract/services/harvests.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import { meaningOf, rules, type RuleName } from '../../formats/rules/rules.ts'
import type { Store } from '../../storage/storage.ts'
import { importedFileStatements, type ImportedFileRow } from './importedFiles.sql.ts'
import { importedNameStatements } from './importedNames.sql.ts'
import { importFindingStatements, type FindingRow, type Severity } from './importFindings.sql.ts'

/** Selects findings of a job. `file` is a name in the archive or a source as `sourceText` writes it. */
export interface FindingsQuery {
  job: number
  file?: string | undefined
  severity?: Severity | undefined
  rule?: string | undefined
  offset: number
  limit: number
}

/** Read access to imports. */
export interface Imports {
  /** The files of a job, in the order in which they are imported. */
  ofJob(job: number): ImportedFile[]
  /** The files with these ids; ids without a file are skipped. */
  some(ids: readonly number[]): ImportedFile[]
  /** One page of findings, the total without paging, and the counts by rule. */
  findings(query: FindingsQuery): {
    rows: FileFinding[]
    total: number
    byRule: { rule: string; severity: Severity; count: number }[]
  }
}

/** An id that no file has. */
const noFile = 0

/** Opens the imports of an archive. */
export function openImports(store: Store): Imports {
  const files = importedFileStatements(store)
  const { ofName } = importedNameStatements(store)
  const findings = importFindingStatements(store)

  /** Id of a file, by its name in the archive or by its source as `sourceText` writes it. */
  function fileCalled(job: number, file: string): number {
    const named = ofName.get({ job, name: file })
    if (named) return named.id
    // A `!` may also be part of a path.
    const steps = file.split('!')
    for (let count = steps.length; count > 0; count -= 1) {
      const place = { path: steps.slice(0, count).join('!'), entry: steps.slice(count).join('!') }
      const found = files.ofPlace.get({ job, ...place })
      if (found) return found.id
    }
    return noFile
  }

  return {
    ofJob: (job) => files.ofJob.all({ job }).map(importedFileOf),
    some: (ids) => ids.flatMap((id) => files.one.all({ id })).map(importedFileOf),
    findings({ job, file, severity = null, rule = null, offset, limit }) {
      const choice = { job, file: file === undefined ? null : fileCalled(job, file), severity }
      return {
        rows: findings.findings.all({ ...choice, rule, offset, limit }).map(findingOf),
        total: findings.findingsTotal.get({ ...choice, rule })?.total ?? 0,
        byRule: findings.byRule.all(choice),
      }
    },
  }
}

/** Source of a file: its path, and after `!` its place in the package. */
export function sourceText({ path, entry }: { path: string; entry: string }): string {
  return entry === '' ? path : `${path}!${entry}`
}

function importedFileOf(row: ImportedFileRow): ImportedFile {
  const { kind, state, bytesTotal, bytesDone, records, captures, errors, warnings, notes, code } = row
  const { archivedAs, archivedJob } = row
  return {
    from: sourceText(row),
    name: nameInArchive(row),
    kind: messageFrom(kind),
    state,
    bytesTotal,
    bytesDone,
    records,
    captures,
    findings: { errors, warnings, notes },
    message: messageFrom(row.message),
    code,
    archived: archivedAs === null ? null : { name: archivedAs, job: archivedJob },
  }
}

/** Name in the archive; null before the file is imported, when the name is only reserved. */
function nameInArchive({ name, state }: Pick<ImportedFileRow, 'name' | 'state'>): string | null {
  return state === 'IMPORTED' ? name : null
}

type FoundRow = FindingRow & Pick<ImportedFileRow, 'path' | 'entry' | 'name' | 'state'>

function findingOf({ rule, severity, message, record, offset, ...file }: FoundRow): FileFinding {
  const { clause, means } = isRule(rule) ? { clause: rules[rule].clause, means: meaningOf(rule) } : ruleGone
  const place = { file: nameInArchive(file) ?? sourceText(file), record, offset }
  return { rule, severity, clause, means, message: messageFrom(message), ...place }
}

/** Shown for a finding whose rule this version does not have: findings are kept for years, and rules may be renamed. */
const ruleGone = { clause: '–', means: message('rule.unknown') }

function isRule(name: string): name is RuleName {
  return Object.hasOwn(rules, name)
}
