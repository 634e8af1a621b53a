/** An upload as the work of a task: stores one file after the other and records how each ended. The state of each copy is in the
 *  catalogue, and the list of files in the database, so the work continues after a pause, a stop or a kill with the first file that
 *  has no end. */
import { basename } from 'node:path'
import { Fault, userMessageOf } from '../../contract/calls/faults.ts'
import type { UploadedFile } from '../../contract/services/uploads.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, storedMessage } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Ending, Task } from '../../tasks/task.ts'
import { unlessAborted } from '../../world/unlessAborted.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { isQualityName } from '../files/qualityNames.ts'
import type { Archive } from './archive.ts'
import type { StoreProgress } from './upload.ts'
import { UploadProgress } from './uploadProgress.ts'
import type { UploadFileRow, UploadStatements } from './uploads.sql.ts'

/** What every upload uses. */
export interface UploadTools {
  archive: Pick<Archive, 'store' | 'file'>
  store: Store
  statements: UploadStatements
  /** Number of the job that is writing or storing a file of this name, which an upload must not take; undefined when there is none. */
  jobHolding: (name: string) => number | undefined
  /** Resolves when the copies that a crash interrupted were continued: two tasks must not write the same copy. */
  ready: Promise<void>
  /** Numbers of the files that are being stored, by task. */
  storing: Map<number, number>
}

/** How a file ended. */
type FileEnd = Pick<UploadedFile, 'problem' | 'code'> & { state: 'stored' | 'failed' | 'refused' }

/** Recognises metadata files by the names that NetarchiveSuite uses: `<job>-metadata-<n>.warc`. */
const metadataName = /(^|-)metadata-\d+\.w?arc(\.gz)?$/i

/** Stores the files of an upload that have no end yet. */
export async function uploadTask(tools: UploadTools, task: Task): Promise<Ending> {
  const { statements, storing } = tools
  await unlessAborted(tools.ready, task.signal)
  const progress = new UploadProgress(statements.done.get({ taskId: task.id }) ?? { files: 0, bytes: 0, notStored: 0 })
  try {
    let from = 0
    for (;;) {
      const file = statements.nextWaiting.get({ taskId: task.id, from })
      if (!file) break
      storing.set(task.id, file.number)
      await storeNext(tools, task, { file, progress })
      from = file.number + 1
    }
  } finally {
    storing.delete(task.id)
  }
  return { event: progress.notStored + unreadCount(statements, task.id) === 0 ? 'finished' : 'finishedInPart' }
}

/** Stores one file, reports the progress, and records how the file ended. A stop leaves the file waiting. */
async function storeNext(
  tools: UploadTools,
  task: Task,
  { file, progress }: { file: UploadFileRow; progress: UploadProgress },
): Promise<void> {
  progress.begin(file.bytes)
  const { state, problem, code } = await storeFile(tools, file.path, task.signal, (made) => {
    progress.note(made)
    task.progress(progress.columns)
  })
  progress.end(state === 'stored')
  task.progress(progress.columns)
  // Not synced: if a power cut takes the row away, the file is found to be stored when the upload is resumed.
  tools.store.unsyncedTransaction(() => {
    const text = problem && storedMessage(problem)
    tools.statements.noteEnd.run({ taskId: task.id, number: file.number, state, problem: text, code })
  })
}

/** Stores one file. A fault is a result; other errors are bugs. Rejects with the reason of the signal when it is aborted. */
async function storeFile(
  { archive, jobHolding }: UploadTools,
  path: string,
  signal: AbortSignal,
  onProgress: (progress: StoreProgress) => void,
): Promise<FileEnd> {
  signal.throwIfAborted()
  const name = basename(path)
  try {
    const job = jobHolding(name)
    if (job !== undefined && (archive.file(name)?.stored ?? null) === null)
      throw new ArchiveFault('refused', message('upload.ofJob', { job, name }))
    const kind = metadataName.test(name) || isQualityName(name) ? 'metadata' : 'content'
    const file = { path, name, kind, jobId: null } as const
    const outcome = await archive.store(file, { signal, onProgress, restoresMissing: true })
    if (outcome.state === 'stored') return { state: 'stored', problem: null, code: null }
    const [first] = outcome.problems
    const problem = joined(outcome.problems.map((each) => each.problem))
    return { state: 'failed', problem, code: first?.code ?? 'internal' }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { state: 'refused', problem: userMessageOf(error), code: error.code }
  }
}

/** Number of paths that could not be read when the files were looked for. */
function unreadCount(statements: UploadStatements, taskId: number): number {
  return (JSON.parse(statements.unread.get({ taskId })?.unread ?? '[]') as unknown[]).length
}
