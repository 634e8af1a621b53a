/** The first layer of the capture index: for each archive file of some jobs, the CDXJ lines of its captures. An archive
 *  file never changes, so lines that are there are right; what a job lacks is taken from its metadata or read anew. */
import { join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { canonicaliserVersion, cdxjHeader } from '../formats/cdx/canonicaliser.ts'
import type { World } from '../world/world.ts'
import type { BuildInput } from './buildIndex.thread.ts'
import type { MissingFile } from './captureIndex.ts'
import { indexFile } from '../files/indexFile.ts'
import type { IndexFileOutcome } from '../files/indexFile.thread.ts'
import type { MetadataIndexInput, MetadataIndexOutcome } from './metadataIndex.thread.ts'

export interface BuildOptions {
  signal?: AbortSignal
  onProgress?: (progress: BuildProgress) => void
}

export interface BuildProgress {
  filesDone: number
  filesTotal: number
  captures: number
}

export interface CaptureLines {
  files: BuildInput['files']
  jobsFound: number[]
  /** Archive files that could not be had, so that their captures are not known. */
  filesMissing: MissingFile[]
}

export interface LineParts {
  /** `<archive>/indexes/cdx`. */
  folder: string
  world: World
  archive: Archive
}

type LineFile = BuildInput['files'][number]

export async function captureLines(
  parts: LineParts,
  jobs: readonly number[],
  options: BuildOptions,
): Promise<CaptureLines> {
  const { folder, world, archive } = parts
  const jobsFound = jobs.filter((job) => archive.filesOfJob(job).length > 0)
  const files = jobsFound.flatMap((job) => contentFiles(archive, job, join(folder, String(job))))
  const progress = { filesDone: 0, filesTotal: files.length, captures: 0 }
  const present = new Set<LineFile>()
  const note = (file: LineFile, captures = 0) => {
    present.add(file)
    progress.filesDone += 1
    progress.captures += captures
    options.onProgress?.({ ...progress })
  }

  for (const job of jobsFound) await world.disk.makeFolder(join(folder, String(job)))
  for (const file of files) if (await isCurrent(world, file.lines)) note(file)
  for (const [job, lacking] of Map.groupBy(without(files, present), (file) => file.job)) {
    const found = await fromMetadata(parts, job, lacking, options)
    for (const file of lacking) if (found.has(file.name)) note(file)
  }
  const filesMissing: MissingFile[] = []
  await Promise.all(
    without(files, present).map(async (file) => {
      const outcome = await fromFile(parts, file, options)
      if (outcome.kind === 'indexed') note(file, outcome.captures)
      else filesMissing.push({ name: file.name, reason: outcome.text })
    }),
  )
  return { files: files.filter((file) => present.has(file)), jobsFound, filesMissing }
}

/** Lines whose keys were made by other rules are as good as none: they would not be found by ours. */
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

function contentFiles(archive: Archive, job: number, folder: string): LineFile[] {
  return archive
    .filesOfJob(job)
    .filter(({ kind }) => kind === 'content')
    .map(({ name }) => ({ name, job, lines: join(folder, `${name}.cdxj`) }))
}

/** The archive files whose lines the job's metadata held. */
async function fromMetadata(
  { archive, world }: LineParts,
  job: number,
  lacking: LineFile[],
  options: BuildOptions,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { name, kind } of archive.filesOfJob(job)) {
    const wanted = lacking.filter((file) => !found.has(file.name))
    const copy = kind === 'metadata' && wanted.length > 0 ? await archive.pathOfFile(name) : undefined
    if (copy === undefined) continue
    const input = { path: copy.path, targets: Object.fromEntries(wanted.map((file) => [file.name, file.lines])) }
    const module = new URL('./metadataIndex.thread.ts', import.meta.url)
    const outcome = await world.threads.run<MetadataIndexInput, MetadataIndexOutcome>(module, input, stopping(options))
    for (const file of outcome.found) found.add(file)
  }
  return found
}

async function fromFile(
  { archive, world }: LineParts,
  file: LineFile,
  options: BuildOptions,
): Promise<IndexFileOutcome> {
  const copy = await archive.pathOfFile(file.name)
  if (copy === undefined) return { kind: 'unreadable', text: 'no replica gives it' }
  return indexFile(
    world,
    { path: copy.path, filename: file.name, target: file.lines, digests: 'trust' },
    stopping(options),
  )
}

function stopping({ signal }: BuildOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}

function without(files: readonly LineFile[], present: ReadonlySet<LineFile>): LineFile[] {
  return files.filter((file) => !present.has(file))
}
