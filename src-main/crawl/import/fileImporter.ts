/** Imports the files of a job one by one: copies each into the folder of the job, gives it a name, and reads it for its index lines and
 *  findings. From then on it is treated like any file that a job wrote. One transaction records the result (`fileResults.ts`);
 *  everything before that can be repeated. */
import type { Archive } from '../../archive/store/archive.ts'
import { importedFileStates } from '../../contract/states/states.ts'
import { message } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import { StorageFault } from '../../storage/storage.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import type { Log } from '../model/jobLog.ts'
import { archivedFiles } from './alreadyArchived.ts'
import { fileResults, type FileResults } from './fileResults.ts'
import { noFindings, together, type Findings } from './findings.ts'
import { freeNames } from './freeName.ts'
import { importedFileStatements, type FileTreatment, type ImportedFileRow } from './importedFiles.sql.ts'
import { wantedName } from './importedName.ts'
import { importedNameStatements } from './importedNames.sql.ts'
import { JobFolder } from './jobFolder.ts'
import { progressTally, type ProgressTally } from './progressTally.ts'
import type { FileRead } from './readThrough.ts'
import { rejection, rejectionBy, type Rejection } from './rejection.ts'
import type { UnpackedFile } from './unpacked.ts'

/** Settings of an import. */
export interface ImportSetting extends FileSetting {
  archive: Archive
  /** Bytes that stay free on the disk of the job's folder. */
  freeBytesMin: number
  /** Folder of the files that a browser uploaded. */
  incomingFolder: string
  signal: AbortSignal
  log: Log
  /** Called with the ids of files whose state or progress changed. */
  onMoved(files: number[]): void
}

/** A file in the folder of the job, under its name. */
interface Named {
  name: string
  treatment: FileTreatment
  /** Findings so far, such as what a conversion left out. */
  findings: Findings
}

/** Imports the files of one job, several at the same time. */
export class FileImporter {
  readonly #setting: ImportSetting
  readonly #files: ReturnType<typeof importedFileStatements>
  readonly #names: ReturnType<typeof importedNameStatements>
  readonly #begin: (id: number) => void
  readonly #freeName: (wanted: string) => string
  readonly #archived: ReturnType<typeof archivedFiles>
  readonly #folder: JobFolder
  readonly #results: FileResults
  readonly #progress: ProgressTally

  constructor(setting: ImportSetting) {
    const { store } = setting
    this.#setting = setting
    this.#files = importedFileStatements(store)
    this.#names = importedNameStatements(store)
    const move = mover(store, importedFileStates, { table: 'imported_file' })
    this.#begin = (id) => void move(id, 'begun')
    this.#freeName = freeNames(store)
    this.#archived = archivedFiles(setting)
    this.#folder = new JobFolder(setting)
    this.#results = fileResults(setting)
    this.#progress = progressTally(setting)
  }

  /** Imports one file. Afterwards it has a result or, if the signal is aborted, is left as it is. Rejects only with faults that do not
   *  concern the file, such as those of the database. */
  async import(row: ImportedFileRow): Promise<void> {
    this.#begin(row.id)
    this.#setting.onMoved([row.id])
    try {
      const rejected = await this.#copyAndRead(row)
      if (rejected) await this.#reject(row, rejected)
      this.#progress.settled(row.id)
    } catch (error) {
      if (this.#setting.signal.aborted) return
      if (error instanceof StorageFault) throw error
      await this.#reject(row, rejectionBy(error))
      this.#progress.settled(row.id)
    }
  }

  /** Returns why the file is rejected; undefined if it has another result. */
  async #copyAndRead(row: ImportedFileRow): Promise<Rejection | undefined> {
    const before = await this.#namedBefore(row)
    if (before) return this.#readNamed(row, before)
    // Copying counts as half of the work, reading as the other half.
    const unpacked = await this.#folder.unpack(row, (bytes) =>
      this.#progress.reached(row.id, Math.min(bytes, row.bytesTotal) / 2),
    )
    if (unpacked.kind === 'rejected') return unpacked
    if (unpacked.kind === 'file') return this.#nameCopy(row, unpacked)
    if (unpacked.parts.length === 0) return rejection(message('import.rejected.emptyPackage'))
    this.#setting.onMoved(this.#results.opened(row, unpacked))
    return undefined
  }

  /** Finds a file that had its final name when a kill came, and is complete. Undefined for one that was rewritten or extracted from a
   *  package: its earlier findings are lost, so it is made again. */
  async #namedBefore({ name, treatment, entry }: ImportedFileRow): Promise<Named | undefined> {
    if (name === null || treatment !== 'kept' || entry !== '' || !(await this.#folder.has(name))) return undefined
    return { name, treatment, findings: noFindings }
  }

  /** Continues with a copy that has its temporary name. */
  async #nameCopy(row: ImportedFileRow, { treatment, sha256, findings }: UnpackedFile): Promise<Rejection | undefined> {
    const wanted = wantedName(row, treatment === 'converted')
    const same = row.name === null ? this.#archived.find({ sha256, wanted }) : undefined
    if (same?.kind === 'owned') {
      await this.#folder.remove(row.id, null)
      this.#results.foundArchived(row, { name: same.name, owner: same.job, sha256 })
      return undefined
    }
    if (same?.kind === 'uploading') return rejection(message('import.rejected.uploading', { name: same.name }), 'inUse')
    // A name that was reserved before a kill is still reserved.
    const name = row.name ?? same?.name ?? this.#freeName(wanted)
    this.#names.setName.run({ id: row.id, name, sha256, treatment })
    await this.#folder.place(row.id, name)
    return this.#readNamed(row, { name, treatment, findings })
  }

  async #readNamed(row: ImportedFileRow, named: Named): Promise<Rejection | undefined> {
    const found = await this.#read(row, named.name)
    if (found.records === 0) return rejection(message('import.rejected.noRecord'))
    if (found.findings.some(({ rule }) => rule === 'recordsShareMember')) return this.#recompress(row, named, found)
    const findings = together(named.findings, found.findings)
    this.#results.imported(row, named.treatment, { ...found, findings })
    return undefined
  }

  /** Replaces a file whose records cannot be opened one by one with a recompressed one. `found`: what was read in the original. */
  async #recompress(row: ImportedFileRow, named: Named, found: FileRead): Promise<Rejection | undefined> {
    const name = this.#setting.archive.file(named.name) ? await this.#rename(row, named.name) : named.name
    const recompressed = await this.#folder.recompress(row, name)
    if (recompressed.kind === 'rejected') return recompressed
    // Recorded before the file is replaced: in the other order, a kill in between would leave a changed file recorded as kept.
    this.#names.setTreatment.run({ id: row.id, treatment: 'recompressed' })
    await this.#folder.place(row.id, name)
    // The findings describe the original file; the counts of records and captures describe the archived one.
    const findings = [named.findings, recompressed.findings, found.findings].reduce(together)
    this.#results.imported(row, 'recompressed', { ...(await this.#read(row, name)), findings })
    return undefined
  }

  /** Gives the copy of the import a new name if the archive already has the file, whose records cannot be opened one by one: the
   *  archived file stays as it is, and the recompressed one needs a name of its own. The file is renamed before the database is
   *  changed, so that after a kill it is copied again. */
  async #rename(row: ImportedFileRow, name: string): Promise<string> {
    const newName = this.#freeName(wantedName(row))
    await this.#folder.rename(name, newName)
    this.#names.setRecompressedName.run({ id: row.id, name: newName })
    return newName
  }

  #read({ id, bytesTotal }: ImportedFileRow, name: string): Promise<FileRead> {
    // The file that is read may differ in size from the source, so progress is computed from the share.
    return this.#folder.read(name, (share) => this.#progress.reached(id, (bytesTotal * (1 + share)) / 2))
  }

  async #reject(row: ImportedFileRow, rejected: Rejection): Promise<void> {
    await this.#folder.remove(row.id, this.#files.one.get({ id: row.id })?.name ?? null)
    this.#results.rejected(row, rejected)
  }
}
