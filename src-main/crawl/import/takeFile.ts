/** Imports one file: copies it into the job's folder (`unpackFile.thread.ts`), gives it a name, and reads it for its index lines
 *  and findings. From then on it is treated like any file that a job wrote. One transaction takes it in; everything before that
 *  can be repeated. */
import { message } from '../../contract/words/message.ts'
import type { Log } from '../model/jobLog.ts'
import { join } from 'node:path'
import type { Archive } from '../../archive/store/archive.ts'
import { faultCodeOf } from '../../archive/files/archiveFault.ts'
import { importedFileStates } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { noCounts } from '../frontier/frontier.ts'
import { adoptFile, type FileSetting } from '../capture/records/harvestFile.ts'
import { archivedFiles, badCopiesText } from './alreadyArchived.ts'
import type { UnpackInput, Unpacked, UnpackedPackage } from './unpacked.ts'
import { noFindings, storedFinding, together, type Findings } from './findings.ts'
import { freeNames } from './freeName.ts'
import { wantedName } from './importedName.ts'
import { importStatements, type FileTreatment, type ImportedFileRow } from './imports.sql.ts'
import { sourceText } from './imports.ts'
import { findingsPerRuleMax } from './limits.ts'
import { linesPath, partPath } from './localNames.ts'
import { progressTally } from './progressTally.ts'
import { readThrough, type FileRead } from './readThrough.ts'
import type { Recompressed, RecompressInput } from './recompressFile.thread.ts'
import { removeIfThere } from './removeIfThere.ts'
import { spaceBudgetIn, type Refused } from './spaceNeeded.ts'
import { offerAsSeeds } from './seeds.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

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

/** The same file in the archive, and the job that has it. */
interface Known {
  name: string
  job: number
  sha256: string
}

interface Named {
  name: string
  deed: FileTreatment
  /** Findings so far, such as what a conversion left out. */
  findings: Findings
}

/** Returns a function that imports one file. Afterwards the file is taken in, refused or, if the signal is aborted, left as it
 *  is. It rejects only for faults that do not concern the file, such as those of the database. */
export function fileTaker(setting: ImportSetting): (row: ImportedFileRow) => Promise<void> {
  const { store, world, folder, job, signal, log } = setting
  const sql = importStatements(store)
  const move = mover(store, importedFileStates, { table: 'imported_file' })
  const freeName = freeNames(store)
  const archived = archivedFiles(setting)
  const room = spaceBudgetIn(world, setting)
  const progress = progressTally(setting)

  return async (row) => {
    move(row.id, 'taken')
    setting.onMoved([row.id])
    try {
      const refused = await take(row)
      if (refused) await refuse(row, refused)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof StorageFault) throw error
      await refuse(row, refusalOf(error))
    }
  }

  /** Imports a file; returns why it is refused, or undefined. */
  async function take(row: ImportedFileRow): Promise<Refused | undefined> {
    const before = await namedBefore(row)
    if (before) return readIn(row, before)
    const unpacked = await bring(row)
    if (unpacked.kind === 'refused') return unpacked
    if (unpacked.kind === 'package') return unpack(row, unpacked)
    const { deed, sha256, findings } = unpacked
    const wanted = wantedName(row, deed === 'converted')
    const same = row.name === null ? archived.find({ sha256, wanted }) : undefined
    if (same?.kind === 'owned') return known(row, { ...same, sha256 })
    if (same?.kind === 'onItsWay') return { ...refusal(onItsWayText(same.name)), code: 'inUse' }
    // A name that was reserved before a kill is still reserved.
    const name = row.name ?? same?.name ?? freeName(wanted)
    sql.setName.run({ id: row.id, name, sha256, deed })
    await takePlace(row, name)
    return readIn(row, { name, deed, findings })
  }

  /** Settles a file that a job already has. */
  async function known(row: ImportedFileRow, { name, job: owner, sha256 }: Known): Promise<undefined> {
    await removeIfThere(world, partPath(folder, row.id))
    const where = owner === job ? 'in this import' : `in job ${owner}`
    const text = `The archive already has this file as ${name}, ${where}.`
    store.transaction(() => {
      move(row.id, 'known')
      sql.setKnown.run({ id: row.id, name, sha256, problem: text + badCopiesText(setting.archive.file(name)) })
    })
    progress.settled(row.id)
    log('info', message('import.known', { file: sourceText(row), problem: text }))
  }

  /** A file that had its final name when a kill came, and is complete. Undefined for one that was rewritten or taken out of a
   *  package: its earlier findings are lost, so it is made again. */
  async function namedBefore({ name, deed, entry }: ImportedFileRow): Promise<Named | undefined> {
    if (name === null || deed !== 'kept' || entry !== '' || !(await world.disk.stat(join(folder, name))))
      return undefined
    return { name, deed, findings: noFindings }
  }

  async function bring({ id, path, entry, bytesTotal }: ImportedFileRow): Promise<Unpacked> {
    const module = new URL('./unpackFile.thread.ts', import.meta.url)
    const input: UnpackInput = { file: id, path, entry, folder, software: setting.software }
    // Copying counts as half of the work, reading as the other half.
    const onReport = (bytes: number) => progress.reached(id, Math.min(bytes, bytesTotal) / 2)
    return room.during(bytesTotal, () =>
      world.threads.run<UnpackInput, Unpacked, number>(module, input, { signal, onReport }),
    )
  }

  async function takePlace({ id }: ImportedFileRow, name: string): Promise<void> {
    await world.disk.rename(partPath(folder, id), join(folder, name))
    await world.disk.syncFolder(folder)
  }

  async function readIn(row: ImportedFileRow, unpacked: Named): Promise<Refused | undefined> {
    const found = await read(row, unpacked.name)
    if (found.records === 0) return refusal('no record could be read in it')
    if (!found.findings.some(({ rule }) => rule === 'recordsShareMember')) {
      settle(row, unpacked.deed, { ...found, findings: together(unpacked.findings, found.findings) })
      return undefined
    }
    const named = setting.archive.file(unpacked.name) ? await apart(row, unpacked) : unpacked
    const recompressed = await recompress(row, named.name)
    if (recompressed.kind === 'refused') return recompressed
    // The findings describe the original file; the counts of records and captures describe the archived one.
    const findings = [named.findings, recompressed.findings, found.findings].reduce(together)
    settle(row, 'recompressed', { ...(await read(row, named.name)), findings })
    return undefined
  }

  /** Gives the import's copy a new name if the archive already has the file, whose records cannot be opened one by one: the
   *  archived file stays as it is, and the recompressed one needs a name of its own. The file is renamed before the database is
   *  changed, so that after a kill it is copied again. */
  async function apart(row: ImportedFileRow, named: Named): Promise<Named> {
    const name = freeName(wantedName(row))
    await removeIfThere(world, linesPath(folder, named.name))
    await world.disk.rename(join(folder, named.name), join(folder, name))
    await world.disk.syncFolder(folder)
    sql.setApart.run({ id: row.id, name })
    return { ...named, name }
  }

  function read({ id, bytesTotal }: ImportedFileRow, name: string): Promise<FileRead> {
    // The file that is read may differ in size from the source, so progress is computed from the share.
    const onShare = (share: number) => progress.reached(id, (bytesTotal * (1 + share)) / 2)
    const place = { path: join(folder, name), name, target: linesPath(folder, name) }
    return readThrough(world, place, { signal, onShare })
  }

  /** Replaces a file whose records cannot be opened one by one by a recompressed one. */
  async function recompress(row: ImportedFileRow, name: string): Promise<Recompressed | Refused> {
    const module = new URL('./recompressFile.thread.ts', import.meta.url)
    const input = { path: join(folder, name), target: partPath(folder, row.id) }
    const done = await room.during(row.bytesTotal, () =>
      world.threads.run<RecompressInput, Recompressed>(module, input, { signal }),
    )
    if (done.kind === 'refused') return done
    // Recorded before the file is replaced: in the other order, a kill in between would leave a changed file recorded as kept.
    sql.setDeed.run({ id: row.id, deed: 'recompressed' })
    await takePlace(row, name)
    return done
  }

  function settle(
    row: ImportedFileRow,
    deed: FileTreatment,
    { records, captures, truncated, findings, pages, bytes }: FileRead,
  ): void {
    const name = sql.one.get({ id: row.id })?.name
    if (name === undefined || name === null) throw new Error(`${sourceText(row)} has lost its name`)
    store.transaction(() => {
      move(row.id, 'read')
      const remark = takenOverText(name) ?? deedText(deed, wantedName(row, deed === 'converted'), name)
      adoptFile(store, { job, name, bytes, records })
      frontierStatements(store).count.run({ ...noCounts, job, total: captures, fetched: captures, bytes })
      writeDown(row, { records, captures }, findings, remark)
      for (const [reason, count] of truncated) sql.addTruncation.run({ job, reason, file: row.id, captures: count })
      offerAsSeeds(setting, pages)
    })
    progress.settled(row.id)
    log('info', message('import.imported', { name, captures }))
  }

  /** Takes over a file that the archive already had, inside the transaction that takes it in; returns a remark for the user, or
   *  undefined if the archive did not have it. */
  function takenOverText(name: string): string | undefined {
    const before = archived.takeOver(name)
    if (before === undefined) return undefined
    const whose = before.job === null ? 'without a job' : `from job ${before.job}, which was deleted`
    const text = `The archive already had this file as ${name}, ${whose}. It now belongs to this job.`
    return text + badCopiesText(setting.archive.file(name))
  }

  /** Adds the files of a package to the import, like files of a folder; its documents become part of the job's metadata. */
  function unpack(
    row: ImportedFileRow,
    { words, parts, documents, pages, findings }: UnpackedPackage,
  ): Refused | undefined {
    if (parts.length === 0) return refusal('no archive file is in it')
    const added = store.transaction(() => {
      move(row.id, 'read')
      writeDown(row, { records: 0, captures: 0 }, findings, null)
      sql.setKind.run({ id: row.id, kind: words })
      for (const document of documents) sql.addDocument.run({ ...document, file: row.id })
      offerAsSeeds(setting, pages)
      return parts.flatMap(({ entry, kind, bytes }) => {
        const place = { job, path: row.path, entry: row.entry === '' ? entry : `${row.entry}!${entry}` }
        const part = sql.add.get({ ...place, kind, state: importedFileStates.initial, bytes, problem: null })
        return part ? [part.id] : []
      })
    })
    progress.settled(row.id)
    setting.onMoved(added)
    return undefined
  }

  function writeDown(
    { id }: ImportedFileRow,
    read: { records: number; captures: number },
    findings: Findings,
    problem: string | null,
  ): void {
    const of = (wanted: string) =>
      findings.reduce((sum, { severity, count }) => sum + (severity === wanted ? count : 0), 0)
    sql.settle.run({ id, ...read, errors: of('error'), warnings: of('warning'), notes: of('note'), problem })
    for (const { rule, severity, count, first } of findings) {
      sql.addCount.run({ file: id, rule, severity, count })
      for (const { message, record = null, offset = null } of first.slice(0, findingsPerRuleMax))
        sql.addFinding.run({ file: id, rule, severity, message: storedFinding(message), record, offset })
    }
  }

  async function refuse(row: ImportedFileRow, { problem, code = 'refused' }: Refused): Promise<void> {
    const name = sql.one.get({ id: row.id })?.name ?? undefined
    for (const path of [partPath(folder, row.id), ...(name === undefined ? [] : [join(folder, name)])]) {
      if (await world.disk.stat(path)) await world.disk.remove(path)
    }
    store.transaction(() => {
      move(row.id, 'refused')
      sql.dropName.run({ id: row.id })
      sql.setProblem.run({ id: row.id, problem: sentenceOf(problem), code })
    })
    progress.settled(row.id)
    log('error', message('import.refused', { file: sourceText(row), problem }))
  }
}

/** Remark for the user on a file whose bytes or name changed on import; null if neither did. */
function deedText(deed: FileTreatment, wanted: string, name: string): string | null {
  const said = [
    deed === 'recompressed' ? 'Its records could not be opened one by one, so they were compressed anew.' : '',
    deed === 'converted' ? 'It was converted to WARC.' : '',
    wanted === name ? '' : `The archive has another file of the name ${wanted}, so this one is called ${name}.`,
  ]
  return said.filter((text) => text !== '').join(' ') || null
}

/** Makes a problem text a sentence. */
export function sentenceOf(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
}

function refusal(problem: string): Refused {
  return { kind: 'refused', problem }
}

function refusalOf(error: unknown): Refused {
  if (error instanceof DiskFault) return { ...refusal(error.message), code: faultCodeOf[error.code] }
  const text = messageOf(error)
  return { ...refusal(`Loupe made a mistake with it: ${text}`), code: 'internal' }
}

function onItsWayText(name: string): string {
  return `an upload is storing the same file as ${name}. Import it again when the upload has finished`
}
