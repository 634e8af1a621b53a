/** The text index of an archive: built from the archive files of jobs, or filled by a delivery plan; searched; and left by jobs. All of it
 *  happens in threads. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { World } from '../../world/world.ts'
import { buildTask, type BuildTasks } from '../databases/buildTask.ts'
import { whyUnavailable, type MissingFile } from '../lines/captureLines.ts'
import type { ReadFileInput, TextsRead } from './readTexts.thread.ts'
import type { BeginInput } from './beginTexts.thread.ts'
import type { LeaveInput } from './leaveText.thread.ts'
import { textSearches, type TextSearches } from './textSearches.ts'
import type { TextStatus } from './textStatus.thread.ts'
import { textIndexPath } from './store/textStore.ts'

/** What a build has done. */
export interface TextBuilt {
  files: number
  filesMissing: MissingFile[]
  /** Documents that were added. */
  documents: number
  /** Those among them whose text could not be read, such as PDF files that are damaged or exceed their limits. */
  unreadable: number
}

/** The text index. */
export interface TextIndexes extends TextSearches {
  /** Adds the documents of these jobs from their archive files, as a task; files that were read before are not read again. Rejects with
   *  `Fault` stopped, with `StorageFault` and with `DiskFault`. */
  build(jobs: readonly number[]): Promise<TextBuilt>
  /** Whether there is an index. */
  exists(): Promise<boolean>
  status(): Promise<TextStatus>
  /** Removes the documents of these jobs. Returns the number of captures that have left. */
  drop(jobs: readonly number[]): Promise<{ captures: number }>
  /** Resolves when nothing is written. */
  over(): Promise<void>
}

interface TextIndexesParts {
  /** Folder of all indexes. */
  folder: string
  world: World
  archive: Pick<Archive, 'selected' | 'pathOfFile' | 'whyNotGiven'>
  tasks: BuildTasks
  /** Stops all builds and searches. */
  signal: AbortSignal
}

/** Documents in one transaction, and their characters: some megabytes, and a fraction of a second. */
const batchDocumentsMax = 500
const batchCharactersMax = 8_000_000

export function openTextIndexes({ folder, world, archive, tasks, signal }: TextIndexesParts): TextIndexes {
  const index = textIndexPath(folder)
  const writing = oneAtATime()
  const { over: searchesOver, ...searches } = textSearches({ index, world, signal })

  const leave = (jobs: readonly number[]) =>
    world.threads.run<LeaveInput, { captures: number }>(
      new URL('./leaveText.thread.ts', import.meta.url),
      { index, jobs: [...jobs] },
      { signal },
    )

  async function build(jobs: readonly number[]): Promise<TextBuilt> {
    signal.throwIfAborted()
    const { files } = archive.selected({ jobs: [...jobs] })
    const subject = message('index.subject.text', { what: selectionMessage({ jobs: [...jobs] }) })
    return buildTask(tasks, { subject, filesTotal: files.length }, async (report, stopped) => {
      const either = AbortSignal.any([signal, stopped])
      // Jobs that are still leaving leave before they come again.
      await leave([])
      await begin(files, either)
      const built: TextBuilt = { files: 0, filesMissing: [], documents: 0, unreadable: 0 }
      const waiting = [...files]
      const work = async () => {
        for (let file = waiting.shift(); file; file = waiting.shift()) {
          const texts = await read(file, either)
          if (texts === undefined)
            built.filesMissing.push({ name: file.name, reason: await whyUnavailable(archive, file.name) })
          else {
            built.documents += texts.documents
            built.unreadable += texts.unreadable
          }
          report({ filesDone: ++built.files })
        }
      }
      const works = Array.from({ length: world.threads.count }, () => work().finally(() => void waiting.splice(0)))
      for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason
      return { result: built, missing: built.filesMissing.length }
    })
  }

  async function begin(files: readonly { name: string; job: number | null }[], either: AbortSignal): Promise<void> {
    const noted = files.map(({ name, job }) => ({ name, job: job ?? 0 }))
    const module = new URL('./beginTexts.thread.ts', import.meta.url)
    await world.threads.run<BeginInput, void>(module, { index, files: noted }, { signal: either })
  }

  async function read({ name, job }: { name: string; job: number | null }, either: AbortSignal) {
    const copy = await archive.pathOfFile(name)
    if (!copy) return undefined
    return world.threads.run<ReadFileInput, TextsRead>(
      new URL('./readTexts.thread.ts', import.meta.url),
      { index, path: copy.path, name, job: job ?? 0, batchDocumentsMax, batchCharactersMax },
      { signal: either },
    )
  }

  return {
    build: (jobs) => writing(() => build(jobs)),
    exists: async () => (await world.disk.stat(index)) !== undefined,
    ...searches,
    status: () =>
      world.threads.run<{ index: string }, TextStatus>(
        new URL('./textStatus.thread.ts', import.meta.url),
        { index },
        { signal },
      ),
    drop: (jobs) => writing(() => leave(jobs)),
    async over() {
      await writing(() => undefined)
      await searchesOver()
    },
  }
}
