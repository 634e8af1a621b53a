/** Exports: write a selection of the archive to a new file outside of it. Invalid requests are refused before anything is written; the
 *  file is written in a separate thread (`files/export`). An export ends with the engine and is not resumed, since an incomplete file
 *  is useless and the export is easily started again. The caller knows which jobs exist and whether they have ended (see `app`). */
import { dirname, isAbsolute, join } from 'node:path'
import type { ExportRequest, ExportSummary } from '../../contract/services/exports.ts'
import { Fault, type FaultCode } from '../../contract/calls/faults.ts'
import { selectionText } from '../../contract/shapes/selection.ts'
import { exportStates } from '../../contract/states/states.ts'
import { duplicateLine, type ExportedDuplicate } from '../../files/export/duplicates.ts'
import {
  partOf,
  runExport,
  type DuplicatesToExport,
  type ExportInput,
  type ExportOutcome,
  type ExportReport,
  type SourceFile,
} from '../../files/export/export.ts'
import { addressProblem } from '../../files/export/selection.ts'
import { writeWhole } from '../../files/disk/lineFile.ts'
import type { WaczSigningKey } from '../../formats/wacz/signature.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import { ArchiveFault, faultCodeOf } from '../files/archiveFault.ts'
import { exportStatements, type ExportRow } from './exports.sql.ts'
import { exportsCountMax } from '../files/limits.ts'
import type { SelectedFile } from '../copies/selected.ts'
import { signingKey } from './signingKey.ts'
import { isInside } from '../files/isInside.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

export interface ExportsParts {
  archive: Archive
  store: Store
  world: World
  archiveFolder: string
  /** Name and version of the software, as in `Loupe/1.2`. */
  software: string
  /** Called with an unexpected error (a bug) during an export, which then fails. */
  onBug: (error: unknown) => void
}

export interface Exports {
  /** Starts an export. Throws `Fault`: badInput, refused (the file exists or is in a replica), notFound (no such folder or file, or a
   *  job has no files), noSpace. */
  start(request: ExportRequest, source: ExportSource): Promise<ExportSummary>
  stop(id: number): Promise<ExportSummary>
  /** Resolves when the export no longer runs in this process. */
  ended(id: number): Promise<ExportSummary>
  /** Exports, newest first, at most `exportsCountMax`. */
  list(): ExportSummary[]
  /** Calls the listener a few times a second for each export, and always at its start and end. Returns a function that removes the
   *  listener. */
  onChange(listener: (summary: ExportSummary) => void): () => void
  /** Stops all exports; they are marked as interrupted. */
  close(): Promise<void>
}

/** Data of the selected jobs that the caller provides. */
export interface ExportSource {
  /** Seeds of the jobs. */
  seeds: readonly string[]
  /** Captures of these jobs that have no records of their own. Called once, after `start` has resolved. */
  duplicates?: (signal: AbortSignal) => Promise<ListedDuplicates>
}

export interface ListedDuplicates {
  /** Duplicates, ordered by the position of their originals. */
  captures: AsyncIterable<readonly ExportedDuplicate[]>
  /** Sentences about duplicates that may be missing. */
  lacking: string[]
  close(): void
}

interface Run {
  stopper: AbortController
  /** Progress that is not written to the row at every step. */
  report: ExportReport | undefined
  whole: Promise<void>
}

interface Order extends ExportSource {
  request: ExportRequest
  files: SelectedFile[]
}

interface Ending {
  event: 'agreed' | 'agreedInPart' | 'stop' | 'interrupted' | 'failed'
  problem: string | null
  code: FaultCode | null
  remarks: string[]
}

const unfinished = { problem: null, code: null, remarks: [] }

/** Opens exports: removes files of interrupted exports and marks those exports as interrupted. */
export async function openExports(parts: ExportsParts): Promise<Exports> {
  const { archive, store, world, archiveFolder, software, onBug } = parts
  const { disk } = world
  const statements = exportStatements(store)
  const move = mover(store, exportStates, { table: 'export' })
  const changes = emitter<ExportSummary>()
  const runs = new Map<number, Run>()
  // A subfolder, because finished exports are in the folder that the interface suggests.
  const workFolder = join(archiveFolder, 'exports', '.unfinished')
  let lastKey: Promise<unknown> = Promise.resolve()
  await recover()

  async function recover(): Promise<void> {
    for (const row of statements.unended.all({})) {
      const { path } = requestOf(row)
      await removeIfThere(partOf(path))
      // The file gets its name only after verification; a crash after that may come before the end was recorded.
      const isWhole = row.state === 'VERIFYING' && (await isThere(path))
      const problem = isWhole ? `Loupe was ended just when ${path} had got its name: that file is whole.` : null
      end(row.id, { event: 'interrupted', ...unfinished, problem })
    }
    const left = (await disk.stat(workFolder)) ? await disk.list(workFolder) : []
    for (const { name } of left) await removeIfThere(join(workFolder, name))
  }

  async function isThere(path: string): Promise<boolean> {
    try {
      return (await disk.stat(path)) !== undefined
    } catch (error) {
      if (error instanceof DiskFault) return false
      throw error
    }
  }

  /** Removes a file. On a disk that is disconnected it stays; its name marks it as a partial file. */
  async function removeIfThere(path: string): Promise<void> {
    try {
      await disk.remove(path)
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
  }

  function rowOf(id: number): ExportRow {
    const row = statements.one.get({ id })
    if (!row) throw new ArchiveFault('notFound', `There is no export ${id}.`)
    return row
  }

  function summary(id: number): ExportSummary {
    const report = runs.get(id)?.report
    return summaryOf({ ...rowOf(id), ...(report && progressOf(report)) })
  }

  function tell(id: number): ExportSummary {
    const told = summary(id)
    changes.emit(told)
    return told
  }

  /** Ends an export and records the result; false when its state does not allow it. */
  function end(id: number, { event, problem, code, remarks }: Ending): boolean {
    return store.transaction(() => {
      if (move(id, event) === undefined) return false
      const report = runs.get(id)?.report
      if (report) statements.noteProgress.run({ id, ...progressOf(report) })
      const noted = { id, nowMs: world.clock.now(), problem, code, remarks: JSON.stringify(remarks) }
      statements.noteEnd.run({ ...noted, isComplete: event === 'agreed' ? 1 : 0 })
      return true
    })
  }

  async function refuse({ path, url, from, to }: ExportRequest): Promise<void> {
    const inPath = { fields: [['path']] }
    if (!isAbsolute(path))
      throw new Fault('badInput', `${path} is no absolute path: say in which folder it is to be.`, inPath)
    const problem = url === undefined ? undefined : addressProblem(url)
    if (problem !== undefined) throw new Fault('badInput', problem, { fields: [['url']] })
    if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
      throw new Fault('badInput', `Nothing is from ${from} on and up to ${to}: exchange them.`, { fields: [['to']] })
    for (const { name, folder } of archive.places)
      if (isInside(folder, path))
        throw new ArchiveFault('refused', `${path} lies in replica ${name}: name another place.`, inPath)
    // The folder that the interface suggests; created for the first export.
    if (dirname(path) === join(archiveFolder, 'exports')) await disk.makeFolder(dirname(path))
    const folder = await disk.stat(dirname(path))
    if (folder?.kind !== 'folder') throw new ArchiveFault('notFound', `There is no folder ${dirname(path)}.`, inPath)
    if (await disk.stat(path))
      throw new ArchiveFault(
        'refused',
        `${path} exists already, and nothing is ever overwritten: name another file.`,
        inPath,
      )
    if (await disk.stat(partOf(path)))
      throw new ArchiveFault(
        'refused',
        `${partOf(path)} exists: another export is being written there, or left it behind.`,
        inPath,
      )
  }

  async function filesOf({ jobs, files: names, all, format }: ExportRequest): Promise<SelectedFile[]> {
    const options = { withMetadata: format !== 'csv' }
    const selected = all ? await archive.everything(options) : archive.selected({ jobs, files: names }, options)
    const [missing] = selected.jobsMissing
    if (missing !== undefined)
      throw new ArchiveFault('notFound', `The archive has no files of job ${missing}.`, { fields: [['jobs']] })
    if (all && selected.files.length === 0) throw new ArchiveFault('notFound', 'The archive has no file yet.')
    return selected.files
  }

  async function refuseWithoutRoom(request: ExportRequest, bytes: number): Promise<void> {
    const isWhole = request.url === undefined && request.from === undefined && request.to === undefined
    // The size of a filtered export is known only after reading; the thread checks the space in that case.
    if (!isWhole || request.format === 'csv') return
    const folder = dirname(request.path)
    const free = await disk.freeBytes(folder)
    if (free >= bytes) return
    throw new ArchiveFault(
      'noSpace',
      `The export takes about ${bytes} bytes, and ${folder} has ${free} bytes free: make room, or name another place.`,
      { fields: [['path']] },
    )
  }

  function begin(id: number, order: Order): ExportSummary {
    const stopper = new AbortController()
    const run: Run = { stopper, report: undefined, whole: Promise.resolve() }
    runs.set(id, run)
    run.whole = write(id, run, order)
      .catch((error: unknown) => broken(id, error, stopper.signal))
      .finally(() => runs.delete(id))
    return tell(id)
  }

  async function write(id: number, run: Run, order: Order): Promise<void> {
    const { request } = order
    const outcome = await outcomeOf(id, run, order)
    if (outcome.kind === 'written' && run.report)
      run.report = { ...run.report, records: outcome.records, bytes: outcome.bytes, bytesDone: run.report.bytesTotal }
    const ending: Ending =
      outcome.kind === 'written'
        ? {
            event: outcome.complete ? 'agreed' : 'agreedInPart',
            problem: null,
            code: null,
            remarks: outcome.remarks,
          }
        : { ...unfinished, event: 'failed', problem: outcome.problem, code: outcome.code }
    // The file was completed while the export was being stopped: a stopped export leaves no file.
    if (!end(id, ending) && outcome.kind === 'written') await removeIfThere(request.path)
    tell(id)
  }

  async function outcomeOf(id: number, run: Run, { request, files, seeds, duplicates }: Order): Promise<ExportOutcome> {
    const { signal } = run.stopper
    const { sources, missing } = await readable(files)
    const list = join(workFolder, `${id}.duplicates`)
    // An export without one of its files would be incomplete without notice.
    if (missing.length > 0) return { kind: 'failed', code: 'unreachable', problem: missingText(missing) }
    try {
      const input = await inputOf(request, sources, seeds)
      if (duplicates) input.duplicates = await duplicatesOf(await duplicates(signal), { list, files })
      return await runExport(world, input, { signal, onReport: (report) => onMessage(id, run, report) })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Fault) return { kind: 'failed', code: error.code, problem: error.message }
      if (!(error instanceof DiskFault)) throw error
      return { kind: 'failed', code: faultCodeOf[error.code], problem: `${error.message}.` }
    } finally {
      if (duplicates) await removeIfThere(list)
    }
  }

  /** Writes the list of duplicates and finds the files of their originals, which may belong to any job. Undefined when there are no
   *  duplicates. */
  async function duplicatesOf(
    { captures, lacking, close }: ListedDuplicates,
    { list, files }: { list: string; files: readonly SelectedFile[] },
  ): Promise<DuplicatesToExport | undefined> {
    const named = new Set<string>()
    let count = 0
    try {
      await writeWhole(world, list, async (append) => {
        for await (const few of captures) {
          count += few.length
          for (const { original } of few) named.add(original.filename)
          await append(Buffer.from(few.map(duplicateLine).join('')))
        }
      })
    } finally {
      close()
    }
    if (count + lacking.length === 0) return undefined
    for (const { name } of files) named.delete(name)
    const originals = archive.filesNamed([...named])
    return { list, originals: (await readable(originals)).sources, lacking }
  }

  async function inputOf(request: ExportRequest, files: SourceFile[], seeds: readonly string[]): Promise<ExportInput> {
    const { url, from, to, format, path, withOriginals, waczVersion, sign } = request
    const narrowing = { url, fromMs: msOf(from), toMs: msOf(to) }
    await disk.makeFolder(workFolder)
    const selected = selectionText(request)
    const common = { files, selected, narrowing, withOriginals, software, target: path, workFolder }
    if (format !== 'wacz') return { ...common, form: { format } }
    const key = sign ? await keyAfterOthers() : undefined
    const beginAt = url === undefined ? [...seeds] : [url, ...seeds]
    return { ...common, form: { format, version: waczVersion, title: titleOf(request), beginAt, key } }
  }

  /** Returns the signing key. Calls run one after the other, so that only one first key is created. */
  function keyAfterOthers(): Promise<WaczSigningKey> {
    const wanted = lastKey.then(() => signingKey(disk, archiveFolder))
    lastKey = wanted.catch(() => 'whoever wanted it is told')
    return wanted
  }

  async function readable(files: SelectedFile[]): Promise<{ sources: SourceFile[]; missing: string[] }> {
    const sources: SourceFile[] = []
    const missing: string[] = []
    for (const { name, job, bytes, sha256 } of files) {
      const copy = await archive.pathOfFile(name)
      if (copy) sources.push({ name, path: copy.path, job, bytes, sha256 })
      else missing.push(name)
    }
    return { sources, missing }
  }

  function onMessage(id: number, run: Run, report: ExportReport): void {
    const isFirst = report.step === 'verifying' && run.report?.step !== 'verifying'
    run.report = report
    // If the export was stopped before, the transition is refused.
    if (isFirst) move(id, 'written')
    tell(id)
  }

  function broken(id: number, error: unknown, signal: AbortSignal): void {
    if (signal.aborted && error === signal.reason) return
    onBug(error)
    const problem = `Loupe could not go on: ${messageOf(error)}`
    end(id, { ...unfinished, event: 'failed', problem, code: 'internal' })
    tell(id)
  }

  return {
    async start(request, source) {
      await refuse(request)
      const files = await filesOf(request)
      const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0)
      await refuseWithoutRoom(request, bytesTotal)
      const nowMs = world.clock.now()
      const added = statements.add.get({
        request: JSON.stringify(request),
        filesTotal: files.length,
        bytesTotal: bytesTotal * 2,
        nowMs,
      })
      if (!added) throw new Error('adding an export gave no row')
      return begin(added.id, { request, files, ...source })
    },
    async stop(id) {
      const { state } = rowOf(id)
      if (!end(id, { event: 'stop', ...unfinished }))
        throw new ArchiveFault('refused', `Export ${id} is not running: it is ${state}.`)
      const running = runs.get(id)
      running?.stopper.abort()
      await running?.whole
      return tell(id)
    },
    async ended(id) {
      await runs.get(id)?.whole
      return summary(id)
    },
    list: () => statements.newest.all({ limit: exportsCountMax }).map(({ id }) => summary(id)),
    onChange: changes.on,
    async close() {
      for (const [id, { stopper }] of runs) {
        end(id, { event: 'interrupted', ...unfinished })
        stopper.abort()
      }
      await Promise.all([...runs.values()].map(({ whole }) => whole))
    },
  }
}

function missingText(names: string[]): string {
  const [first = '', ...others] = names
  const which = others.length === 0 ? first : `${first} and ${others.length} more`
  return `No replica gives a good copy of ${which}, so nothing was written: "loupe preserve checksums" says what is wrong.`
}

function titleOf({ url, ...selection }: ExportRequest): string {
  const what = selectionText(selection)
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
  return url === undefined ? title : `${title}: ${url}`
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

function progressOf({ records, bytes, filesDone, bytesDone, bytesTotal }: ExportReport) {
  return { records, bytes, filesDone, bytesDone, bytesTotal }
}

/** Request of an export, as stored by `start`. */
function requestOf(row: ExportRow): ExportRequest {
  return JSON.parse(row.request) as ExportRequest
}

function summaryOf(row: ExportRow): ExportSummary {
  const { records, bytes, filesDone, filesTotal, bytesDone, bytesTotal, state, problem, code } = row
  return {
    export: row.id,
    request: requestOf(row),
    state,
    records,
    bytes,
    filesDone,
    filesTotal,
    bytesDone,
    bytesTotal,
    // The state table admits only verified exports to these states.
    verified: state === 'DONE' || state === 'DONE_INCOMPLETE',
    started: new Date(row.startedMs).toISOString(),
    ended: timeOf(row.endedMs),
    problem,
    code,
    complete: row.isComplete === 1,
    remarks: JSON.parse(row.remarks) as string[],
  }
}
