/** The first layer of the capture index: the CDXJ lines of each archive file in a selection. An archive file never changes, so
 *  existing lines stay valid. Missing ones are taken from the metadata of the job, if it has any, or made by reading the file. */
import { dirname, join } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { canonicaliserVersion, cdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import type { World } from '../../world/world.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { indexFile } from '../../files/index/indexFile.ts'
import type { BuildTasks } from '../databases/buildTask.ts'
import type { MetadataIndexInput, MetadataIndexOutcome } from './metadataIndex.thread.ts'

/** An archive file in an index. */
export interface IndexedFile {
  name: string
  /** Null: it belongs to no job. The job can change: when it is deleted and the file imported again. */
  job: number | null
}

/** An archive file with the path of its lines. */
export interface LineFile extends IndexedFile {
  lines: string
}

/** An archive file that could not be read. */
export interface MissingFile {
  name: string
  reason: Message
}

/** How a caller follows the making of lines. */
export interface LineOptions {
  signal: AbortSignal
  /** Called once per file when its lines exist. If it throws, the whole call rejects. */
  onLines?: (file: LineFile) => void
}

/** The lines that exist now. */
export interface CaptureLines {
  files: LineFile[]
  /** Archive files that could not be read, so their captures are unknown. */
  filesMissing: MissingFile[]
}

/** What making lines needs. */
export interface LineParts {
  /** `<archive>/indexes/cdx`. */
  folder: string
  world: World
  archive: Archive
}

/** What builds of indexes from lines work with. */
export interface FromLinesParts {
  /** Folder of the indexes: `<archive>/indexes/crawl-log`, or another. */
  folder: string
  lines: LineParts
  tasks: BuildTasks
  /** Limit for the bytes of all indexes in `folder`. */
  bytesMax: () => number
  /** Waits for index lines that are being made, so that they are not made twice. */
  linesMade: () => Promise<unknown>
  /** Stops all builds. */
  signal: AbortSignal
}

/** Folder for files without a job. No job has this name. */
const withoutJob = 'no-job'

/** Returns the file with the path of its lines, which need not exist. */
export function lineFile(lineFolder: string, { name, job }: IndexedFile): LineFile {
  return { name, job, lines: join(lineFolder, String(job ?? withoutJob), `${name}.cdxj`) }
}

/** Provides the lines of the given files. Rejects with the signal's reason if some are still to be made. Once it has settled,
 *  it no longer reads or writes. */
export async function captureLines(
  parts: LineParts,
  files: readonly LineFile[],
  options: LineOptions,
): Promise<CaptureLines> {
  const { world } = parts
  const present = new Set<LineFile>()
  const note = (file: LineFile) => {
    present.add(file)
    options.onLines?.(file)
  }

  for (const folder of new Set(files.map(({ lines }) => dirname(lines)))) await world.disk.makeFolder(folder)
  for (const file of files) if (await isCurrent(world, file.lines)) note(file)
  for (const [job, lacking] of Map.groupBy(without(files, present), (file) => file.job)) {
    if (job === null) continue
    const found = await fromMetadata(parts, { job, lacking }, options)
    for (const file of lacking) if (found.has(file.name)) note(file)
  }
  const filesMissing: MissingFile[] = []
  const waiting = without(files, present)
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const outcome = await fromFile(parts, file, options)
      if (outcome.kind === 'indexed') note(file)
      else filesMissing.push({ name: file.name, reason: outcome.problem })
    }
  }
  // No more at a time than there are threads, so that other tasks (adding these lines, starting a check) do not wait for
  // hundreds of files.
  const works = Array.from({ length: world.threads.count }, () => work().finally(() => void waiting.splice(0)))
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason
  return { files: files.filter((file) => present.has(file)), filesMissing }
}

/** Whether the file has lines whose keys were made by the current rules. Others would not be found. */
async function isCurrent(world: World, path: string): Promise<boolean> {
  if (!(await world.disk.stat(path))) return false
  const file = await world.disk.openRead(path)
  try {
    const expected = Buffer.from(`${cdxjHeader(canonicaliserVersion)}\n`)
    const first = new Uint8Array(expected.length)
    return (await file.read(first, 0)) === first.length && expected.equals(first)
  } finally {
    await file.close()
  }
}

/** Takes lines from the job's metadata and returns the names of the archive files that it had. */
async function fromMetadata(
  { archive, world }: LineParts,
  { job, lacking }: { job: number; lacking: readonly LineFile[] },
  { signal }: LineOptions,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { name, kind } of archive.filesOfJob(job)) {
    const wanted = lacking.filter((file) => !found.has(file.name))
    const copy = kind === 'metadata' && wanted.length > 0 ? await archive.pathOfFile(name) : undefined
    if (copy === undefined) continue
    const input = { path: copy.path, targets: Object.fromEntries(wanted.map((file) => [file.name, file.lines])) }
    const module = new URL('./metadataIndex.thread.ts', import.meta.url)
    const outcome = await world.threads.run<MetadataIndexInput, MetadataIndexOutcome>(module, input, { signal })
    for (const file of outcome.found) found.add(file)
  }
  return found
}

async function fromFile(
  { archive, world }: LineParts,
  file: LineFile,
  { signal }: LineOptions,
): Promise<{ kind: 'indexed' } | { kind: 'unreadable'; problem: Message }> {
  const copy = await archive.pathOfFile(file.name)
  if (copy === undefined) return { kind: 'unreadable', problem: await whyUnavailable(archive, file.name) }
  const input = { path: copy.path, filename: file.name, target: file.lines, digests: 'trust' as const }
  const outcome = await indexFile(world, input, { signal })
  return outcome.kind === 'indexed' ? outcome : { kind: 'unreadable', problem: diskMessage(outcome.fault) }
}

/** Why no replica provided a file. It may be available again by now. */
export async function whyUnavailable(archive: Pick<Archive, 'whyNotGiven'>, name: string): Promise<Message> {
  return (await archive.whyNotGiven(name)) ?? message('index.file.unavailable')
}

function without(files: readonly LineFile[], present: ReadonlySet<LineFile>): LineFile[] {
  return files.filter((file) => !present.has(file))
}
