/** What an import was given, how far each file is and what was found wrong with it, as people see it. It only reads the
 *  database: the taking in is done by `importFiles`, in the crawl's thread. */
import type { FileFinding, ImportedFile } from '../../contract/contract.ts'
import { rules, type RuleName } from '../../formats/rules/rules.ts'
import type { Store } from '../../storage/storage.ts'
import { importStatements, type FindingRow, type ImportedFileRow, type Severity } from './imports.sql.ts'

export interface FindingsQuery {
  job: number
  file?: string | undefined
  severity?: Severity | undefined
  rule?: string | undefined
  offset: number
  limit: number
}

export interface Imports {
  /** In the order in which they are taken in. */
  ofJob(job: number): ImportedFile[]
  /** Those of these that there are. */
  some(ids: readonly number[]): ImportedFile[]
  findings(query: FindingsQuery): {
    rows: FileFinding[]
    total: number
    byRule: { rule: string; severity: Severity; count: number }[]
  }
}

/** No file has this number. */
const noFile = 0

export function openImports(store: Store): Imports {
  const sql = importStatements(store)

  /** By its name in the archive, or by where it came from as `sourceText` says it. */
  function fileCalled(job: number, file: string): number {
    const named = sql.ofName.get({ job, name: file })
    if (named) return named.id
    // A `!` may belong to a path as well.
    const steps = file.split('!')
    for (let count = steps.length; count > 0; count -= 1) {
      const place = { path: steps.slice(0, count).join('!'), entry: steps.slice(count).join('!') }
      const found = sql.ofPlace.get({ job, ...place })
      if (found) return found.id
    }
    return noFile
  }

  return {
    ofJob: (job) => sql.ofJob.all({ job }).map(importedFileOf),
    some: (ids) => ids.flatMap((id) => sql.one.all({ id })).map(importedFileOf),
    findings({ job, file, severity = null, rule = null, offset, limit }) {
      const choice = { job, file: file === undefined ? null : fileCalled(job, file), severity }
      return {
        rows: sql.findings.all({ ...choice, rule, offset, limit }).map(findingOf),
        total: sql.findingsTotal.get({ ...choice, rule })?.total ?? 0,
        byRule: sql.byRule.all(choice),
      }
    },
  }
}

/** Where a file came from: its path, and its place in the package behind `!`. */
export function sourceText({ path, entry }: { path: string; entry: string }): string {
  return entry === '' ? path : `${path}!${entry}`
}

function importedFileOf(row: ImportedFileRow): ImportedFile {
  const { kind, state, bytesTotal, bytesDone, records, captures, errors, warnings, notes, problem, code } = row
  const { knownAs, knownJob } = row
  return {
    from: sourceText(row),
    name: nameInArchive(row),
    kind,
    state,
    bytesTotal,
    bytesDone,
    records,
    captures,
    findings: { errors, warnings, notes },
    problem,
    code,
    archived: knownAs === null ? null : { name: knownAs, job: knownJob },
  }
}

/** Decided before it is taken in, it is a name of the archive only afterwards. */
function nameInArchive({ name, state }: Pick<ImportedFileRow, 'name' | 'state'>): string | null {
  return state === 'TAKEN' ? name : null
}

type FoundRow = FindingRow & Pick<ImportedFileRow, 'path' | 'entry' | 'name' | 'state'>

function findingOf({ rule, severity, text, record, offset, ...file }: FoundRow): FileFinding {
  const { clause, means } = isRule(rule) ? rules[rule] : ruleGone
  return { rule, severity, clause, means, text, file: nameInArchive(file) ?? sourceText(file), record, offset }
}

/** Findings are kept for years, and a rule may get a better name meanwhile. */
const ruleGone = {
  clause: 'a rule of another version of Loupe',
  means: 'This version does not know the rule any more.',
}

function isRule(name: string): name is RuleName {
  return Object.hasOwn(rules, name)
}
