/** The additions of an import to its job's metadata WARC: where each file came from and what was done to it, and the metadata
 *  documents of the packages it came in. */
import { basename } from 'node:path'
import { messageFrom } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Store } from '../../storage/storage.ts'
import type { PackageDocument } from './metadataFile.ts'
import type { Report } from './report.ts'
import { importedFileStatements, type ImportedFileRow } from '../import/importedFiles.sql.ts'
import { importResultStatements } from '../import/importResults.sql.ts'
import { sourceText } from '../import/imports.ts'
import { documentPath } from '../import/localNames.ts'

/** Returns the import report; undefined for a job that imported nothing. */
export function importReport(store: Store, job: number): Report | undefined {
  const rows = importedFileStatements(store).ofJob.all({ job })
  if (rows.length === 0) return undefined
  return {
    part: 'reports',
    name: 'import-report.jsonl',
    contentType: 'application/jsonl',
    text: () => {
      const truncated = Map.groupBy(importResultStatements(store).truncated.all({ job }), ({ file }) => file)
      return rows.map((row) => {
        const byReason = (truncated.get(row.id) ?? []).map(({ reason, captures }) => [reason, captures] as const)
        return `${JSON.stringify({ ...reported(row), truncated: Object.fromEntries(byReason) })}\n`
      })
    },
  }
}

function reported(row: ImportedFileRow) {
  const {
    name,
    kind,
    state,
    treatment,
    sha256,
    bytesTotal: bytes,
    records,
    captures,
    errors,
    warnings,
    notes,
    archivedAs,
  } = row
  const from = sourceText(row)
  // Read long after this version of Loupe: in English, and not as a code.
  const text = row.message === null ? null : textOf(messageFrom(row.message))
  return {
    ...{ from, kind, bytes, sha256, state, name, treatment, records, captures, errors, warnings, notes },
    ...{ message: text, archivedAs },
  }
}

/** Lists the documents of all packages in the order in which they were found; they are numbered for each package in that
 *  order. */
export function packageDocuments(store: Store, { job, folder }: { job: number; folder: string }): PackageDocument[] {
  const brought = new Map<number, number>()
  return importResultStatements(store)
    .documents.all({ job })
    .map(({ file, path, packageEntry, entry, contentType }) => {
      const number = brought.get(file) ?? 0
      brought.set(file, number + 1)
      const name = packageEntry === '' ? basename(path) : `${basename(path)}!${packageEntry}`
      return { path: documentPath(folder, file, number), package: name, entry, contentType }
    })
}
