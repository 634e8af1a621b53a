/** What a action on one archive file is, wherever it runs: it reads the file, tells lines as it goes and ends with a summary.
 *  In a thread of the pool its lines go to a file of their own, here they go straight to the caller. */
import { DiskFault, type ReadableFile, type Task, type World } from '../../world/world.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import { writtenAtOnceBytes } from '../disk/limits.ts'

export interface WorkGiven<Options> {
  world: World
  file: ReadableFile
  path: string
  options: Options
  signal: AbortSignal
  /** Without its line end. A promise comes back when it is time to wait. */
  emit(line: string): Promise<void> | undefined
}

export type FileWork<Options, Summary> = (given: WorkGiven<Options>) => Promise<Summary>

/** A file that the disk does not give is one outcome of many: the other files are worked on all the same. */
export type FileOutcome<Summary> = { kind: 'done'; summary: Summary } | { kind: 'unreadable'; text: string }

export interface WorkPlace {
  world: World
  signal: AbortSignal
  onBytes: (bytes: number) => void
  onLines: (lines: Uint8Array) => Promise<void>
}

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
    // Another path is the place where lines go, and a disk that is full there is not the fault of this file.
    if (!(error instanceof DiskFault) || error.path !== path) throw error
    await lines.flush()
    return { kind: 'unreadable', text: error.message }
  }
}

export interface FileTaskInput<Options> {
  path: string
  options: Options
  /** Where its lines go: a file that is not there yet, and is made with the first line. */
  target: string
}

export type FileTaskOutput<Summary> = FileOutcome<Summary> & { hasLines: boolean }

/** The same as a task for a thread; it reports how many bytes of the file it has read. */
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
