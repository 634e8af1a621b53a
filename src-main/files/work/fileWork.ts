/**
 * Definition of an action on one archive file, independent of where it runs: it reads the file, emits lines and ends with a summary. In a
 * thread of the pool its lines go to a separate file, otherwise directly to the caller.
 */
import type { Message } from '../../contract/words/message.ts'
import { diskMessage } from '../disk/diskFaults.ts'
import { DiskFault, type ReadableFile, type Task, type World } from '../../world/world.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import { writtenAtOnceBytes } from '../disk/limits.ts'

/** Parameters of an action on one file. */
export interface WorkGiven<Options> {
  world: World
  file: ReadableFile
  path: string
  options: Options
  signal: AbortSignal
  /** Emits a line, given without its end. Returns a promise when the caller must wait. */
  emit(line: string): Promise<void> | undefined
}

/** An action on one file. Rejects with `DiskFault`, or with the signal's reason. */
export type FileWork<Options, Summary> = (given: WorkGiven<Options>) => Promise<Summary>

/** Outcome of one file. A file that the disk does not return is one outcome of many: the other files are still processed. */
export type FileOutcome<Summary> = { kind: 'done'; summary: Summary } | { kind: 'unreadable'; problem: Message }

/** The environment of an action, which receives its progress and its lines. */
export interface WorkPlace {
  world: World
  signal: AbortSignal
  onBytes: (bytes: number) => void
  onLines: (lines: Uint8Array) => Promise<void>
}

/** Runs an action on the file at `path`. */
export async function workOn<Options, Summary>(
  work: FileWork<Options, Summary>,
  { path, options }: { path: string; options: Options },
  { world, signal, onBytes, onLines }: WorkPlace,
): Promise<FileOutcome<Summary>> {
  const lines = new LineBatch(onLines)
  try {
    const opened = await world.disk.openRead(path)
    try {
      const file = watchedFile(opened, { signal, onBytes })
      const summary = await work({ world, file, path, options, signal, emit: (line) => lines.add(line) })
      await lines.flush()
      return { kind: 'done', summary }
    } finally {
      await opened.close()
    }
  } catch (error) {
    // Another path is the destination of the lines, and a full disk there is not a fault of this file.
    if (!(error instanceof DiskFault) || error.path !== path) throw error
    await lines.flush()
    return { kind: 'unreadable', problem: diskMessage(error) }
  }
}

/** Input of a thread that runs an action on one file. */
export interface FileTaskInput<Options> {
  path: string
  options: Options
  /** File for the lines: it must not exist, and is created with the first line. */
  target: string
}

/** Its output; `hasLines` is false when no line was emitted, and so no file was created. */
export type FileTaskOutput<Summary> = FileOutcome<Summary> & { hasLines: boolean }

/** Makes a task for a thread of the action; it reports how many bytes of the file it has read. */
export function fileTask<Options, Summary>(
  work: FileWork<Options, Summary>,
): Task<FileTaskInput<Options>, FileTaskOutput<Summary>, number> {
  return async ({ world, report, signal }, { target, ...input }) => {
    const open = () => world.disk.openWrite(target, 'create')
    let spool: Awaited<ReturnType<typeof open>> | undefined
    const onLines = async (lines: Uint8Array) => {
      spool ??= await open()
      await spool.append([lines])
    }
    try {
      const outcome = await workOn(work, input, { world, signal, onBytes: report, onLines })
      return { ...outcome, hasLines: spool !== undefined }
    } finally {
      await spool?.close()
    }
  }
}

/** Collects lines, and passes them on in pieces of about `writtenAtOnceBytes`. */
class LineBatch {
  #onLines: (lines: Uint8Array) => Promise<void>
  #text = ''

  constructor(onLines: (lines: Uint8Array) => Promise<void>) {
    this.#onLines = onLines
  }

  add(line: string): Promise<void> | undefined {
    this.#text += `${line}\n`
    return this.#text.length < writtenAtOnceBytes ? undefined : this.flush()
  }

  async flush(): Promise<void> {
    if (this.#text === '') return
    const lines = Buffer.from(this.#text)
    this.#text = ''
    await this.#onLines(lines)
  }
}
