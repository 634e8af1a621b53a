/** The work of an export: reads the selected files from good copies, has a thread write the new file, and reports how it ended. */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { exportedMessage, type ExportRequest } from '../../contract/services/exports.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { writeWhole } from '../../files/disk/lineFile.ts'
import { duplicateLine, type ExportedDuplicate } from '../../files/export/duplicates.ts'
import {
  runExport,
  type DuplicatesToExport,
  type ElsewhereToExport,
  type ExportInput,
  type ExportOutcome,
  type ExportReport,
  type RevisitElsewhere,
  type SourceFile,
} from '../../files/export/export.ts'
import { exportLists } from '../../contract/shapes/choices.ts'
import type { Narrowing } from '../../files/export/selection.ts'
import type { WaczSigningKey } from '../../formats/wacz/signature.ts'
import type { Ending, Task } from '../../tasks/task.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { SelectedFile } from '../copies/selected.ts'
import { ArchiveFault, faultCodeOf, reasonIn } from '../files/archiveFault.ts'
import type { Archive } from '../store/archive.ts'
import { removeIfThere } from './leftovers.ts'
import { writeIndex, type IndexToWrite, type WrittenIndex } from './writeIndex.ts'

/** What the work of every export uses. */
export interface ExportTools {
  archive: Pick<Archive, 'pathOfFile' | 'filesNamed'>
  world: World
  /** A folder used only by this engine, for data that does not fit into memory. */
  workFolder: string
  /** Name and version of the software, as in `Loupe/1.2`. */
  software: string
  /** Returns the key that signs packages. */
  signingKey: () => Promise<WaczSigningKey>
}

/** Data of the selected jobs that the caller provides. */
export interface ExportSource {
  /** Seeds of the jobs. */
  seeds: readonly string[]
  /** Captures of these jobs that have no records of their own. Called once, after `start` has resolved. */
  duplicates?: (signal: AbortSignal) => Promise<ListedDuplicates>
  /** Revisits of these jobs that refer to others. Called once, after `start` has resolved. */
  elsewhere?: (signal: AbortSignal) => Promise<ListedElsewhere>
  /** The captures that the search of the request finds. Called once, after `start` has resolved; absent: there is no search. */
  matches?: (signal: AbortSignal) => Promise<ListedMatches>
  /** Writes the index lines of the selection. */
  writeIndex: (index: IndexToWrite) => Promise<WrittenIndex>
}

/** Revisits whose originals are in files outside of the selection, in the order of the originals. */
export interface ListedElsewhere {
  revisits: readonly RevisitElsewhere[]
  /** Sentences about revisits that may be missing. */
  lacking: Message[]
}

/** Captures that a search has found, with what their pages need. */
export interface ListedMatches {
  /** Offsets of records by the name of their file. */
  places: ReadonlyMap<string, ReadonlySet<number>>
  /** Captures without records of their own; the places have their originals. */
  duplicates: readonly ExportedDuplicate[]
  /** Likely start pages. */
  urls: readonly string[]
  /** Sentences about what was found, and about what is missing. */
  remarks: Message[]
  lacking: Message[]
}

export interface ListedDuplicates {
  /** Duplicates, ordered by the position of their originals. */
  captures: AsyncIterable<readonly ExportedDuplicate[]>
  /** Sentences about duplicates that may be missing. */
  lacking: Message[]
  close(): void
}

export interface ExportOrder extends ExportSource {
  request: ExportRequest
  files: readonly SelectedFile[]
}

/** Writes one export. `onRemarks` records them when the export ends. */
export async function writeExport(
  tools: ExportTools,
  order: ExportOrder,
  task: Task,
  onRemarks: (remarks: Message[]) => void,
): Promise<Ending> {
  const { path } = order.request
  let bytesTotal = 0
  const outcome = await outcomeOf(tools, order, task, (report) => {
    bytesTotal = report.bytesTotal
    task.progress(progressOf(report))
  })
  if (outcome.kind === 'failed') return { event: 'failed', code: outcome.code, problem: outcome.problem }
  if (task.signal.aborted) {
    // The file was completed while the export was being stopped: a stopped export leaves no file.
    await removeIfThere(tools.world.disk, path)
    task.signal.throwIfAborted()
  }
  const { records, bytes, complete, remarks } = outcome
  task.progress({ bytesDone: bytesTotal, figures: { records, bytes } })
  return {
    event: complete ? 'finished' : 'finishedInPart',
    record: () => onRemarks(remarks),
  }
}

type OnReport = (report: ExportReport) => void

async function outcomeOf(
  tools: ExportTools,
  order: ExportOrder,
  task: Task,
  onReport: OnReport,
): Promise<ExportOutcome> {
  const { format } = order.request
  try {
    return format === 'cdx' || format === 'cdxj'
      ? await indexOutcome(tools, { ...order, form: format }, { signal: task.signal, onReport })
      : await filesOutcome(tools, order, task, onReport)
  } catch (error) {
    task.signal.throwIfAborted()
    if (!(error instanceof DiskFault)) throw error
    throw new Fault(faultCodeOf[error.code], reasonIn(error), { cause: error })
  }
}

/** Writes records, which a thread reads in the files. */
async function filesOutcome(
  tools: ExportTools,
  order: ExportOrder,
  task: Task,
  onReport: OnReport,
): Promise<ExportOutcome> {
  const { matches } = order
  if (!matches) return chosenOutcome(tools, order, task, onReport)
  const { places, duplicates: captures, urls, remarks, lacking } = await matches(task.signal)
  if (places.size === 0) return { kind: 'failed', code: 'notFound', problem: message('export.matches.none') }
  const files = tools.archive.filesNamed([...places.keys()])
  task.progress({ filesTotal: files.length })
  task.stage('writing')
  const { request, writeIndex: write } = order
  const duplicates = async () => ({ captures: inOneBatch(captures), lacking, close: () => undefined })
  const found = { request, files, places, seeds: urls, duplicates, writeIndex: write }
  const outcome = await chosenOutcome(tools, found, task, onReport)
  return outcome.kind === 'written' ? { ...outcome, remarks: [...remarks, ...outcome.remarks] } : outcome
}

async function* inOneBatch<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items
}

/** Writes the records of the files: those of the narrowing, or those at the places. */
async function chosenOutcome(
  tools: ExportTools,
  { request, files, places, seeds, duplicates, elsewhere }: ExportOrder & Pick<Narrowing, 'places'>,
  task: Task,
  onReport: OnReport,
): Promise<ExportOutcome> {
  const { world, workFolder } = tools
  const { signal } = task
  const sources = await sourcesOf(tools, files)
  const list = join(workFolder, `${task.id}.duplicates`)
  try {
    const input = await inputOf(tools, request, { files: sources, places, seeds })
    if (duplicates) input.duplicates = await duplicatesOf(tools, await duplicates(signal), { list, files })
    if (elsewhere && request.withOriginals && !exportLists.includes(request.format))
      input.elsewhere = await elsewhereOf(tools, await elsewhere(signal))
    let isVerifying = false
    return await runExport(world, input, {
      signal,
      onReport(report) {
        onReport(report)
        if (report.step === 'verifying' && !isVerifying) task.stage('verifying')
        isVerifying = report.step === 'verifying'
      },
    })
  } finally {
    if (duplicates) await removeIfThere(world.disk, list)
  }
}

/** Writes index lines, whose captures were read before. */
async function indexOutcome(
  { world }: ExportTools,
  { request, form, writeIndex: write }: Pick<ExportOrder, 'request' | 'writeIndex'> & Pick<IndexToWrite, 'form'>,
  { signal, onReport }: { signal: AbortSignal; onReport: OnReport },
): Promise<ExportOutcome> {
  const onProgress = ({ lines: records, bytes }: { lines: number; bytes: number }) =>
    onReport({ step: 'writing', records, bytes, filesDone: 0, bytesDone: 0, bytesTotal: 0 })
  return writeIndex(world, { path: request.path, form, narrowing: narrowingOf(request), signal, onProgress }, write)
}

/** Finds a good copy of every file. Throws `Fault` unreachable when one has none: the export would be incomplete without notice. */
async function sourcesOf(tools: ExportTools, files: readonly SelectedFile[]): Promise<SourceFile[]> {
  const { sources, missing } = await readable(tools, files)
  const [name] = missing
  if (name === undefined) return sources
  throw new ArchiveFault('unreachable', message('export.noGoodCopy', { name, more: missing.length - 1 }))
}

async function readable(
  { archive }: ExportTools,
  files: readonly SelectedFile[],
): Promise<{ sources: SourceFile[]; missing: string[] }> {
  const sources: SourceFile[] = []
  const missing: string[] = []
  for (const { name, job, bytes, sha256 } of files) {
    const copy = await archive.pathOfFile(name)
    if (copy) sources.push({ name, path: copy.path, job, bytes, sha256 })
    else missing.push(name)
  }
  return { sources, missing }
}

/** Writes the list of duplicates and finds the files of their originals, which may belong to any job. Undefined when there are no
 *  duplicates. */
async function duplicatesOf(
  tools: ExportTools,
  { captures, lacking, close }: ListedDuplicates,
  { list, files }: { list: string; files: readonly SelectedFile[] },
): Promise<DuplicatesToExport | undefined> {
  const named = new Set<string>()
  let count = 0
  try {
    await writeWhole(tools.world, list, async (append) => {
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
  const originals = tools.archive.filesNamed([...named])
  return { list, originals: (await readable(tools, originals)).sources, lacking }
}

/** Finds the files of the originals. Undefined when there are none. */
async function elsewhereOf(
  tools: ExportTools,
  { revisits, lacking }: ListedElsewhere,
): Promise<ElsewhereToExport | undefined> {
  if (revisits.length === 0) return undefined
  const named = tools.archive.filesNamed([...new Set(revisits.map(({ filename }) => filename))])
  return { revisits, files: (await readable(tools, named)).sources, lacking }
}

async function inputOf(
  { world, workFolder, software, signingKey }: ExportTools,
  request: ExportRequest,
  { files, places, seeds }: { files: SourceFile[]; seeds: readonly string[] } & Pick<Narrowing, 'places'>,
): Promise<ExportInput> {
  const { url, format, path, waczVersion, sign } = request
  const narrowing = { ...narrowingOf(request), places }
  await world.disk.makeFolder(workFolder)
  const selected = exportedMessage(request)
  // The places have the originals.
  const withOriginals = request.withOriginals && places === undefined
  const common = { files, selected, narrowing, withOriginals, software, target: path, workFolder }
  if (format === 'cdx' || format === 'cdxj') throw new Error('index lines are written by the indexes')
  if (format !== 'wacz') return { ...common, form: { format } }
  const key = sign ? await signingKey() : undefined
  const beginAt = url === undefined ? [...seeds] : [url, ...seeds]
  return { ...common, form: { format, version: waczVersion, title: titleOf(request), beginAt, key } }
}

function narrowingOf({ url, from, to }: ExportRequest): Narrowing {
  return { url, fromMs: msOf(from), toMs: msOf(to) }
}

function titleOf({ url, ...request }: ExportRequest): string {
  const what = textOf(exportedMessage(request))
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
  return url === undefined ? title : `${title}: ${url}`
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

function progressOf({ records, bytes, filesDone, bytesDone, bytesTotal }: ExportReport) {
  return { filesDone, bytesDone, bytesTotal, figures: { records, bytes } }
}
