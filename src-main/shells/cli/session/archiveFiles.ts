/**
 * How a verb works on the archive files that it is given: finds them and processes them on all cores, with progress, until Ctrl-C. It
 * neither opens nor creates an archive.
 */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Fault } from '../../../contract/calls/faults.ts'
import { findFiles, type FilesFound } from '../../../files/work/findFiles.ts'
import { overFiles, type FileAction, type OverFiles, type Progress } from '../../../files/work/overFiles.ts'
import { realWorld } from '../../../world/real.ts'
import type { Command } from './command.ts'
import { noteUnread } from '../output/boundedNotes.ts'
import { figuresOf, paceValues, rate, remaining } from '../output/figures.ts'
import { bytesText } from '../output/output.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'

export const world = realWorld()

export type FilesGiven = FilesFound & { bytes: number }

/** Finds the files at the given paths. Throws `Fault` notFound where a path does not exist. */
export async function filesGiven({ signal, output }: Command, paths: readonly string[]): Promise<FilesGiven> {
  const found = await unlessStopped(signal, () => findFiles(world.disk, paths, { signal }))
  noteUnread(output, found)
  if (found.files.length === 0 && found.unread.length === 0)
    throw new Fault('notFound', message('files.noArchiveFile', { paths: paths.join(', ') }))
  return { ...found, bytes: found.files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

export interface Work {
  seconds: number
  /** Number of cores that were used. */
  cores: number
}

type Wanted<Options, Summary> = Pick<OverFiles<Options, Summary>, 'options' | 'spoolFolder' | 'onLines' | 'onEnd'>

/** Processes the files. `doing` says what is done, for the progress. Throws `Fault` stopped. */
export async function workOnFiles<Options, Summary>(
  { signal, output }: Command,
  { files, bytes }: FilesGiven,
  { doing, action, ...wanted }: { doing: Message; action: FileAction<Options, Summary> } & Wanted<Options, Summary>,
): Promise<Work> {
  setFlagsFromString(youngStaysSmall)
  const startMs = performance.now()
  const seconds = () => (performance.now() - startMs) / 1000
  const cores = Math.min(availableParallelism(), files.length * action.coresPerFile)
  let shownMs = -Infinity
  const onProgress = (progress: Progress) => {
    if (performance.now() - shownMs < progressMs) return
    shownMs = performance.now()
    output.progress(progressText(doing, progress, { files: files.length, bytes, seconds: seconds() }))
  }
  if (files.length > 0)
    await unlessStopped(signal, () => overFiles(action, { world, files, cores, signal, onProgress, ...wanted }))
  return { seconds: seconds(), cores }
}

/**
 * Keeps the young generation of V8's heap small. Unpacked data is outside the heap and is freed when the young generation is swept; once
 * grown, that is swept so rarely that megabytes of pages wait for it. Threads started later inherit the flag.
 */
const youngStaysSmall = '--semi-space-growth-factor=1'

const progressMs = 200

export function progressText(
  doing: Message,
  { filesDone, bytesDone }: Progress,
  total: { files: number; bytes: number; seconds: number },
): string {
  const bytesPerSecond = bytesDone / Math.max(total.seconds, 0.001)
  const file = Math.min(filesDone + 1, total.files)
  const parts = [
    total.files > 1 ? message('figure.fileOf', { file, total: total.files }) : undefined,
    message('figure.doneOf', { done: bytesText(bytesDone), total: bytesText(total.bytes) }),
    rate(bytesPerSecond),
    remaining(total.bytes - bytesDone, bytesPerSecond),
  ]
  return textFor('figure.action', { action: doing, figures: figuresOf(parts) })
}

/** Formats the throughput, which ends every summary. */
export function paceOf({ bytes, files }: FilesGiven, { seconds, cores }: Work): Message {
  const values = paceValues(bytes, seconds)
  return files.length > 1 ? message('figure.pace.cores', { ...values, cores }) : message('figure.pace', values)
}

async function unlessStopped<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (signal.aborted) throw new Fault('stopped', message('cli.stopped'), { cause: error })
    throw error
  }
}
