/** A batch job as the work of a task: runs the module within its time limit, closes the files of the run, and says how it ended. */
import type { BatchRequest } from '../../contract/services/batch.ts'
import { message } from '../../contract/words/message.ts'
import type { Ending, Task } from '../../tasks/task.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault, faultCodeOf, reasonIn } from '../files/archiveFault.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import type { Archive } from '../store/archive.ts'
import { runBatch, type RunEnd, type RunProgress } from './batchRun.ts'
import { deadline } from './deadline.ts'
import type { BatchLimits } from './limits.ts'
import type { ModulePlace } from './modulePlace.ts'
import type { RunFiles } from './runFiles.ts'

const secondMs = 1_000

/** What every batch job uses. */
export interface BatchTools {
  archive: Archive
  world: World
  limits: BatchLimits
  /** Folder of the output. */
  folder: string
}

export interface BatchOrder {
  request: BatchRequest
  module: ModulePlace
  names: readonly string[]
  /** Open files, which are closed when the work ends. */
  files: RunFiles
}

/** Runs a batch job. */
export async function batchTask(tools: BatchTools, order: BatchOrder, task: Task): Promise<Ending> {
  const { files, request } = order
  const progress = { processed: 0, failed: 0, bytesDone: 0 }
  const ended = await filesClosed(tools, files, () =>
    withinTime(tools, order, task, (now) => {
      Object.assign(progress, now)
      task.progress(columnsOf(now, files))
    }),
  )
  task.progress(columnsOf(progress, files))
  task.signal.throwIfAborted()
  if (ended.kind === 'done') return { event: progress.failed === 0 ? 'finished' : 'finishedWithFindings' }
  const { timeoutSeconds: seconds } = request
  const problem = ended.kind === 'cut' ? message('batch.failed.time', { seconds }) : ended.problem
  return { event: 'failed', code: 'refused', problem }
}

/** Runs the module until it has ended, is stopped, or has no time left. The last two are both `cut`. */
async function withinTime(
  { archive, world, limits, folder }: BatchTools,
  { request, module, names, files }: BatchOrder,
  task: Task,
  onProgress: (progress: RunProgress) => void,
): Promise<RunEnd> {
  const time = deadline(world.clock, request.timeoutSeconds * secondMs)
  const { replica, fileTimeoutSeconds } = request
  const signal = AbortSignal.any([task.signal, time.signal])
  try {
    return await runBatch(
      { run: task.id, module, names, replica, fileMsMax: fileTimeoutSeconds * secondMs },
      { archive, world, limits, files, folder, signal, onProgress },
    )
  } finally {
    await time.end()
  }
}

/** Closes the files of a run after `act`, so that what was written survives a power cut. Throws `Fault` when they cannot be written. */
async function filesClosed<T>({ world, folder }: BatchTools, files: RunFiles, act: () => Promise<T>): Promise<T> {
  try {
    const result = await act()
    await files.close()
    await world.disk.syncFolder(folder)
    return result
  } catch (error) {
    await files.close().catch(undefinedOnFault)
    if (!(error instanceof DiskFault)) throw error
    const problem = message('batch.failed.output', { problem: reasonIn(error) })
    throw new ArchiveFault(faultCodeOf[error.code], problem, { cause: error })
  }
}

function columnsOf({ processed, failed, bytesDone }: RunProgress, { outputBytes, errorBytes }: RunFiles) {
  return { filesDone: processed, findings: failed, bytesDone, figures: { outputBytes, errorBytes } }
}
