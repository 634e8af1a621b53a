/** Runs a batch job over its files: in parallel up to the number of cores, with output in the order of the files. A failing file does
 *  not end the run, and a module that ends its thread costs only the current file. The run ends early only when too many files fail or
 *  the output cannot be written. */
import { join } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { inOrder } from '../../files/work/inOrder.ts'
import type { World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { batchThread, loadStep, type BatchThread, type StepOutcome } from './batchThread.ts'
import type { FileGiven } from './batchFile.ts'
import type { ModulePlace } from './modulePlace.ts'
import type { StepEnd } from './batchStep.thread.ts'
import { aheadMax, beginMsMin, failedFilesDefault, lanesMax, type BatchLimits } from './limits.ts'
import type { RunFiles } from './runFiles.ts'

export interface RunOrder {
  run: number
  module: ModulePlace
  names: readonly string[]
  /** Replica to read from; undefined for the first one with a good copy. */
  replica: string | undefined
  fileMsMax: number
}

export interface RunProgress {
  processed: number
  failed: number
  bytesDone: number
}

/** Result of a run. `problem`: why it ended early, or that data collected by the module is lost; `details`: the same with the stack frames
 *  of the module. `cut`: it was stopped. */
export type RunEnd = { kind: 'done' } | { kind: 'failed'; problem: Message; details?: string } | { kind: 'cut' }

export interface RunParts {
  archive: Archive
  world: World
  limits: BatchLimits
  files: RunFiles
  /** Folder for output that is too large to be held in memory. */
  folder: string
  signal: AbortSignal
  onProgress: (progress: RunProgress) => void
}

type FileEnd =
  | { kind: 'left' }
  | { kind: 'processed'; name: string; bytes: number; end: StepEnd; target: string }
  | { kind: 'failed'; name: string; bytes: number; text: string; remarks: string[] }

/** Runs a module over all files of the order. Rejects with `DiskFault` when the output cannot be written. */
export async function runBatch(order: RunOrder, parts: RunParts): Promise<RunEnd> {
  const threads = batchThreads(order, parts)
  try {
    const end = await run(order, parts, threads)
    // The user sees one sentence; the stack frames go to the errors file for the author of the module.
    if (end.kind === 'failed' && end.details !== undefined) await parts.files.remarked('The run', [end.details])
    return end
  } finally {
    threads.close()
  }
}

async function run(order: RunOrder, { files, signal, ...parts }: RunParts, threads: BatchThreads): Promise<RunEnd> {
  const begun = await threads.begin()
  if (begun.kind !== 'begun') return begun
  const failedMax = begun.maxExceptions ?? failedFilesDefault
  const progress = { processed: 0, failed: 0, bytesDone: 0 }
  /** Counts failures as they happen, not in the order of the files. */
  let failures = 0
  const reading = new Map<string, number>()
  const report = () => {
    const inProgress = [...reading.values()].reduce((sum, bytes) => sum + bytes, 0)
    parts.onProgress({ ...progress, bytesDone: progress.bytesDone + inProgress })
  }

  async function fileEnd(name: string): Promise<FileEnd> {
    if (signal.aborted || failures >= failedMax) return { kind: 'left' }
    const onBytes = (bytes: number) => {
      reading.set(name, bytes)
      report()
    }
    const end = await processFile(name, onBytes).finally(() => reading.delete(name))
    if (end.kind === 'failed') failures += 1
    return end
  }

  async function processFile(name: string, onBytes: (bytes: number) => void): Promise<FileEnd> {
    const file = await given(parts.archive, name, order.replica)
    const { bytes } = file
    if ('problem' in file) return { kind: 'failed', name, bytes, text: textOf(file.problem), remarks: [] }
    const target = threads.target()
    const outcome = await threads.step({ step: 'file', file, target }, onBytes)
    if (outcome.kind === 'cut') return { kind: 'left' }
    if (outcome.kind === 'died') return { kind: 'failed', name, bytes, text: outcome.text, remarks: [] }
    const { failure, remarks } = outcome.end
    if (failure !== null) return { kind: 'failed', name, bytes, text: failure, remarks }
    return { kind: 'processed', name, bytes, end: outcome.end, target }
  }

  const wanted = { atOnce: begun.gathers ? 1 : Math.min(parts.world.threads.count, lanesMax), aheadMax }
  for await (const end of inOrder(order.names, fileEnd, wanted)) {
    if (end.kind === 'left') continue
    progress.processed += 1
    progress.bytesDone += end.bytes
    if (end.kind === 'failed') {
      progress.failed += 1
      await files.failed(end.name, end.text, end.remarks)
    } else {
      await files.written(end.end.written, end.target)
      await files.remarked(end.name, end.end.remarks)
    }
    report()
  }
  if (signal.aborted) return { kind: 'cut' }
  if (progress.processed < order.names.length)
    return { kind: 'failed', problem: message('batch.failed.files', { failed: progress.failed }) }
  return begun.gathers ? threads.finish() : { kind: 'done' }
}

/** The copy that the thread will open, or the reason why there is none. */
async function given(
  archive: Archive,
  name: string,
  replica: string | undefined,
): Promise<FileGiven | { problem: Message; bytes: number }> {
  const known = archive.file(name)
  if (!known) throw new Error(`${name} left the catalogue`)
  const { bytes, sha256, job, kind } = known
  try {
    const copy = replica === undefined ? await archive.pathOfFile(name) : await copyIn(archive, replica, name)
    if (!copy) return { problem: message('batch.file.noCopy'), bytes }
    return { name, bytes, sha256, job, kind, ...copy }
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error
    return { problem: error.userMessage, bytes }
  }
}

async function copyIn(archive: Archive, replica: string, name: string) {
  const { file } = await archive.readableFrom(replica, name)
  await file.close()
  const path = archive.places.find((place) => place.name === replica)?.pathOf(name)
  return path === undefined ? undefined : { replica, path }
}

type BatchThreads = ReturnType<typeof batchThreads>
type Begun = { kind: 'begun'; gathers: boolean; maxExceptions: number | null }

/** Threads of one run: created on demand and reused until they end. */
function batchThreads(order: RunOrder, { world, limits, files, folder, signal }: RunParts) {
  const all = new Set<BatchThread>()
  const idle: BatchThread[] = []
  /** First file after which collected data was lost because its thread ended. */
  let lost: string | undefined
  let targets = 0
  const target = () => join(folder, `.${order.run}-${++targets}.part`)
  const watch = { signal, msMax: order.fileMsMax }
  const beginning = { signal, msMax: Math.max(order.fileMsMax, beginMsMin) }

  /** Creates a thread and loads and starts the module in it; returns the failure otherwise. */
  async function fresh(
    isFirst: boolean,
  ): Promise<(Begun & { thread: BatchThread }) | Exclude<RunEnd, { kind: 'done' }>> {
    const thread = batchThread(world, limits)
    all.add(thread)
    const loaded = await thread.step(loadStep(order.module), beginning)
    const unloaded = problemOf('batch.failed.load', loaded)
    if (unloaded) return unloaded
    const place = target()
    const started = await thread.step({ step: 'start', target: place }, beginning)
    const unstarted = problemOf('batch.failed.start', started)
    if (unstarted) return unstarted
    if (loaded.kind !== 'ended' || started.kind !== 'ended') throw new Error('a step without a problem has ended')
    if (isFirst) {
      await files.written(started.end.written, place)
      await files.remarked('start', [...loaded.end.remarks, ...started.end.remarks])
    } else await files.dropped(started.end.written, place)
    const { gathers, maxExceptions } = loaded.end
    return { kind: 'begun', gathers, maxExceptions, thread }
  }

  return {
    target,
    async begin(): Promise<Begun | Exclude<RunEnd, { kind: 'done' }>> {
      const begun = await fresh(true)
      if (begun.kind === 'begun') idle.push(begun.thread)
      return begun
    },
    async step(step: { step: 'file'; file: FileGiven; target: string }, onBytes: (bytes: number) => void) {
      // An idle thread may have ended meanwhile, through work that its last file left running.
      for (let thread = idle.pop(); thread; thread = idle.pop()) {
        if (!thread.thread.ended) return stepIn(thread, step, onBytes)
        all.delete(thread)
        lost ??= step.file.name
      }
      const begun = await fresh(false)
      if (begun.kind === 'begun') return stepIn(begun.thread, step, onBytes)
      return begun.kind === 'cut' ? begun : { kind: 'died' as const, text: begun.details ?? textOf(begun.problem) }
    },
    async finish(): Promise<RunEnd> {
      const [thread] = idle
      if (lost !== undefined || !thread || thread.thread.ended)
        return {
          kind: 'failed',
          problem: lost === undefined ? message('batch.failed.lost') : message('batch.failed.lost.at', { file: lost }),
        }
      const place = target()
      const outcome = await thread.step({ step: 'finish', target: place }, beginning)
      const problem = problemOf('batch.failed.finish', outcome)
      if (problem || outcome.kind !== 'ended') return problem ?? { kind: 'cut' }
      await files.written(outcome.end.written, place)
      await files.remarked('finish', outcome.end.remarks)
      return { kind: 'done' }
    },
    close() {
      for (const { thread } of all) thread.close()
    },
  }

  async function stepIn(
    thread: BatchThread,
    step: { step: 'file'; file: FileGiven; target: string },
    onBytes: (bytes: number) => void,
  ): Promise<StepOutcome> {
    const outcome = await thread.step(step, { ...watch, onBytes })
    if (!thread.thread.ended) idle.push(thread)
    else {
      all.delete(thread)
      lost ??= step.file.name
    }
    return outcome
  }
}

function problemOf(
  code: 'batch.failed.load' | 'batch.failed.start' | 'batch.failed.finish',
  outcome: StepOutcome,
): Exclude<RunEnd, { kind: 'done' }> | undefined {
  if (outcome.kind === 'cut') return { kind: 'cut' }
  const text = outcome.kind === 'died' ? outcome.text : outcome.end.failure
  if (text === null) return undefined
  const [first = '', ...frames] = text.split('\n')
  // The text of the module's error may or may not end as a sentence.
  const problem = message(code, { problem: first.replace(/\.$/, '') })
  return frames.length === 0
    ? { kind: 'failed', problem }
    : { kind: 'failed', problem, details: [textOf(problem), ...frames].join('\n') }
}
