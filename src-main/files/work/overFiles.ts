/**
 * One action on many files: on all cores when there are several, in this thread when one file at a time keeps them busy. Lines and summaries come in the order of
 * the files. The lines of a file that is ahead of its turn wait on the disk, so that memory is bounded however many there are; at most
 * `aheadMax` files wait, each with its summary.
 */
import { join } from 'node:path'
import type { World } from '../../world/world.ts'
import { workOn, type FileOutcome, type FileTaskInput, type FileTaskOutput, type FileWork } from './fileWork.ts'
import type { FoundFile } from './findFiles.ts'
import { inOrder } from './inOrder.ts'
import { aheadMax, readBytes } from '../disk/limits.ts'

/** An action both as a function, loaded when it runs in this thread, and as a thread's module. */
export interface FileAction<Options, Summary> {
  load(): Promise<FileWork<Options, Summary>>
  thread: URL
  /** Number of cores that one file keeps busy: 2 where decompression, on threads of zlib, takes as long as all else. */
  coresPerFile: 1 | 2
}

/** Progress over all files. */
export interface Progress {
  filesDone: number
  bytesDone: number
}

/** The files, and what receives their lines and results. */
export interface OverFiles<Options, Summary> {
  world: World
  files: readonly FoundFile[]
  options: Options
  /** Number of cores to keep busy. */
  cores: number
  signal: AbortSignal
  /** Returns an empty folder for this call alone; called when there is more than one file. */
  spoolFolder: () => Promise<string>
  /** Receives the next whole lines of this file; its promise is awaited before more come. */
  onLines: (file: FoundFile, lines: Uint8Array) => Promise<void>
  onEnd: (file: FoundFile, outcome: FileOutcome<Summary>) => Promise<void>
  onProgress: (progress: Progress) => void
}

/** Runs the action. Rejects with the signal's reason when it is aborted. */
export async function overFiles<Options, Summary>(
  action: FileAction<Options, Summary>,
  over: OverFiles<Options, Summary>,
): Promise<void> {
  const count = countedProgress(over.onProgress)
  const atOnce = Math.min(over.files.length, Math.max(1, Math.floor(over.cores / action.coresPerFile)))
  return atOnce === 1 ? oneByOne(action, over, count) : manyAtOnce(action, { ...over, atOnce }, count)
}

/** Runs the action in this thread. */
async function oneByOne<Options, Summary>(
  action: FileAction<Options, Summary>,
  { world, files, options, signal, onLines, onEnd }: OverFiles<Options, Summary>,
  count: CountedProgress,
): Promise<void> {
  const work = await action.load()
  for (const file of files) {
    const counted = count(file)
    const outcome = await workOn(
      work,
      { path: file.path, options },
      { world, signal, onBytes: counted.onBytes, onLines: (lines) => onLines(file, lines) },
    )
    counted.onEnd()
    await onEnd(file, outcome)
  }
}

/** Runs the action in threads of the pool. */
async function manyAtOnce<Options, Summary>(
  { thread }: FileAction<Options, Summary>,
  over: OverFiles<Options, Summary> & { atOnce: number },
  count: CountedProgress,
): Promise<void> {
  const { world, files, options, atOnce, onLines, onEnd } = over
  const folder = await over.spoolFolder()
  const stop = new AbortController()
  const signal = AbortSignal.any([over.signal, stop.signal])
  const running = new Set<Promise<unknown>>()
  const work = async (file: FoundFile) => {
    const counted = count(file)
    const target = join(folder, `${world.chance.uuid()}.lines`)
    const task = world.threads.run<FileTaskInput<Options>, FileTaskOutput<Summary>, number>(
      thread,
      { path: file.path, options, target },
      { signal, onReport: counted.onBytes },
    )
    running.add(task)
    const outcome = await task.finally(() => running.delete(task))
    counted.onEnd()
    return { file, target, outcome }
  }
  try {
    for await (const { file, target, outcome } of inOrder(files, work, { atOnce, aheadMax })) {
      const { hasLines, ...ended } = outcome
      if (hasLines) await handOn(world, target, (lines) => onLines(file, lines))
      await onEnd(file, ended)
    }
  } finally {
    // When one file ends in a fault, the others are not needed; their threads end before the caller removes the folder.
    stop.abort()
    await Promise.allSettled(running)
  }
}

const LF = 10

/** Passes the lines of a finished file to their receiver in order, and removes the file that held them. */
async function handOn(world: World, path: string, onLines: (lines: Uint8Array) => Promise<void>): Promise<void> {
  const file = await world.disk.openRead(path)
  try {
    let bytesAtOnce = readBytes
    for (let position = 0; ;) {
      const buffer = Buffer.allocUnsafe(bytesAtOnce)
      const read = await file.read(buffer, position)
      if (read === 0) break
      const wholeLines = buffer.subarray(0, read).lastIndexOf(LF) + 1
      position += wholeLines
      if (wholeLines > 0) await onLines(buffer.subarray(0, wholeLines))
      // A line is longer than the buffer: it is doubled to hold the whole line.
      bytesAtOnce = wholeLines > 0 ? readBytes : bytesAtOnce * 2
    }
  } finally {
    await file.close()
  }
  await world.disk.remove(path)
}

/** Makes the counters of one file. */
type CountedProgress = (file: FoundFile) => { onBytes: (bytes: number) => void; onEnd: () => void }

/** Adds the progress of all files. A finished file counts with its whole length. */
function countedProgress(onProgress: (progress: Progress) => void): CountedProgress {
  const total: Progress = { filesDone: 0, bytesDone: 0 }
  return ({ bytes }) => {
    let seen = 0
    const onBytes = (reached: number) => {
      total.bytesDone += reached - seen
      seen = reached
      onProgress({ ...total })
    }
    return {
      onBytes,
      onEnd() {
        total.filesDone += 1
        onBytes(bytes)
      },
    }
  }
}
