/** Records the results of imported files. Each result is one transaction with the state of the file, and a line in the log of the
 *  job. */
import type { Archive } from '../../archive/store/archive.ts'
import { importedFileStates } from '../../contract/states/states.ts'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { adoptFile } from '../capture/records/jobFiles.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { noCounts } from '../frontier/counts.ts'
import type { Log } from '../model/jobLog.ts'
import { archivedFiles } from './alreadyArchived.ts'
import { storedFinding, type Findings } from './findings.ts'
import { wantedName } from './importedName.ts'
import { importedFileStatements, type FileTreatment, type ImportedFileRow } from './importedFiles.sql.ts'
import { importedNameStatements } from './importedNames.sql.ts'
import { importFindingStatements } from './importFindings.sql.ts'
import { importResultStatements } from './importResults.sql.ts'
import { sourceText } from './imports.ts'
import { findingsPerRuleMax } from './limits.ts'
import type { FileRead } from './readThrough.ts'
import type { Rejection } from './rejection.ts'
import { archivedRemark, takenOverRemark, treatmentRemark } from './remarks.ts'
import { offerAsSeeds } from './seeds.ts'
import type { UnpackedPackage } from './unpacked.ts'

interface ResultsSetting extends Pick<FileSetting, 'store' | 'job' | 'harvest'> {
  archive: Pick<Archive, 'file' | 'filesOfSha256' | 'assignJob'>
  log: Log
}

/** Records of results. Each method is one transaction of its own. */
export interface FileResults {
  /** The file was read and belongs to the job. `read` describes the file as the archive will have it. */
  imported(row: ImportedFileRow, treatment: FileTreatment, read: FileRead): void
  /** The archive has the file, as `name` of the job `owner`. */
  foundArchived(row: ImportedFileRow, archived: { name: string; owner: number; sha256: string }): void
  /** The package was opened. Returns the ids of the files in it, which are now files of the import; its documents become part of the
   *  metadata of the job. */
  opened(row: ImportedFileRow, opened: UnpackedPackage): number[]
  /** The file is not imported; a name that was reserved for it is free again. */
  rejected(row: ImportedFileRow, rejection: Rejection): void
}

/** Opens the results of one import. */
export function fileResults(setting: ResultsSetting): FileResults {
  const { store, job, archive, log } = setting
  const files = importedFileStatements(store)
  const results = importResultStatements(store)
  const { dropName } = importedNameStatements(store)
  const move = mover(store, importedFileStates, { table: 'imported_file' })
  const archived = archivedFiles(setting)

  /** Takes over a file that the archive already had. Returns the remark on it; undefined if the archive did not have it. */
  function takeOver(name: string): Message | undefined {
    const before = archived.takeOver(name)
    return before && takenOverRemark({ name, formerJob: before.job, file: archive.file(name) })
  }

  return {
    imported(row, treatment, { records, captures, truncated, hasQualityRecords, findings, pages, bytes }) {
      const name = files.one.get({ id: row.id })?.name ?? null
      if (name === null) throw new Error(`${sourceText(row)} has lost its name`)
      store.transaction(() => {
        move(row.id, 'imported')
        const wanted = wantedName(row, treatment === 'converted')
        const remark = takeOver(name) ?? treatmentRemark(treatment, { wanted, name })
        adoptFile(store, { job, name, bytes, records })
        frontierStatements(store).count.run({ ...noCounts, job, total: captures, fetched: captures, bytes })
        recordRead(store, row.id, { records, captures, hasQualityRecords, findings, remark })
        for (const [reason, count] of truncated)
          results.addTruncation.run({ job, reason, file: row.id, captures: count })
        offerAsSeeds(setting, pages)
      })
      log('info', message('import.imported', { name, captures }))
    },
    foundArchived(row, { name, owner, sha256 }) {
      const remark = archivedRemark({ name, owner, job, file: archive.file(name) })
      store.transaction(() => {
        move(row.id, 'foundArchived')
        results.setArchived.run({ id: row.id, name, sha256, message: storedMessage(remark) })
      })
      log('info', message('import.archived', { file: sourceText(row), remark }))
    },
    opened: (row, { format, parts, documents, pages, findings }) =>
      store.transaction(() => {
        move(row.id, 'imported')
        recordRead(store, row.id, { records: 0, captures: 0, hasQualityRecords: false, findings, remark: null })
        results.setKind.run({ id: row.id, kind: storedMessage(format) })
        for (const document of documents) results.addDocument.run({ ...document, file: row.id })
        offerAsSeeds(setting, pages)
        return parts.flatMap(({ entry, kind, bytes }) => {
          const place = { job, path: row.path, entry: row.entry === '' ? entry : `${row.entry}!${entry}` }
          const part = files.add.get({ ...place, kind: storedMessage(kind), bytes })
          return part ? [part.id] : []
        })
      }),
    rejected(row, { reason, code }) {
      store.transaction(() => {
        move(row.id, 'rejected')
        dropName.run({ id: row.id })
        results.setRejection.run({ id: row.id, message: storedMessage(reason), code })
      })
      log('error', message('import.rejected', { file: sourceText(row), reason }))
    },
  }
}

interface Recorded {
  records: number
  captures: number
  hasQualityRecords: boolean
  findings: Findings
  remark: Message | null
}

/** Writes what was read in a file: its counts, and its findings. All findings are counted, and the first of each rule are stored. */
function recordRead(store: Store, id: number, { hasQualityRecords, findings, remark, ...counts }: Recorded): void {
  const sql = importFindingStatements(store)
  const countOf = (wanted: string) =>
    findings.reduce((sum, { severity, count }) => sum + (severity === wanted ? count : 0), 0)
  importResultStatements(store).settle.run({
    ...{ id, ...counts, hasQualityRecords: hasQualityRecords ? 1 : 0 },
    ...{ errors: countOf('error'), warnings: countOf('warning'), notes: countOf('note') },
    message: remark && storedMessage(remark),
  })
  for (const { rule, severity, count, first } of findings) {
    sql.addCount.run({ file: id, rule, severity, count })
    for (const { message: found, record = null, offset = null } of first.slice(0, findingsPerRuleMax))
      sql.addFinding.run({ file: id, rule, severity, message: storedFinding(found), record, offset })
  }
}
