/** Batch jobs: run a module chosen by the user over selected files of the archive, in separate threads. Built-in modules are run in
 *  the same way. The output and the errors of a run are written to two files in the archive's `batch/` folder. A run is a task that
 *  cannot continue, since it would have to read everything again. The module's code is not sandboxed; its interface is defined in
 *  `batchModule.ts`. */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import type { BatchOutput, BatchRequest, BatchRunSummary } from '../../contract/services/batch.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { Archive } from '../store/archive.ts'
import { batchStatements, type BatchRow } from './batch.sql.ts'
import { batchTask, type BatchTools } from './batchTask.ts'
import { checkReplica, chosenFiles } from './chosenFiles.ts'
import { defaultBatchLimits, runsCountMax, runsShownMax, type BatchLimits } from './limits.ts'
import { builtIns, moduleAt, nameOf } from './modulePlace.ts'
import { textAt } from './outputText.ts'
import { createRunFiles, removeParts } from './runFiles.ts'

export interface BatchParts {
  archive: Archive
  store: Store
  tasks: Tasks
  world: World
  archiveFolder: string
  limits?: Partial<BatchLimits>
}

export interface Batch {
  /** Starts a run. Throws `Fault`: badInput (no such module), notFound (no such module file or replica, or no matching file), refused
   *  (the module is in the archive, the replica holds only checksums, or there are too many files or runs). */
  start(request: BatchRequest): Promise<BatchRunSummary>
  /** Resolves when the run no longer runs in this process. */
  ended(task: number): Promise<BatchRunSummary>
  /** Runs, newest first, at most `runsShownMax`. */
  list(): BatchRunSummary[]
  output(wanted: { task: number; of: 'output' | 'errors'; offset: number; limit: number }): Promise<BatchOutput>
  builtIns(): { name: string; does: Message }[]
}

/** Opens batch jobs, and removes what interrupted ones have left. */
export async function openBatch({ archive, store, tasks, world, archiveFolder, ...parts }: BatchParts): Promise<Batch> {
  const { disk } = world
  const statements = batchStatements(store)
  const folder = join(archiveFolder, 'batch')
  const tools: BatchTools = { archive, world, folder, limits: { ...defaultBatchLimits, ...parts.limits } }
  /** Runs that are not yet tasks. */
  let starting = 0
  await tasks.register('batch')
  await removeParts(disk, folder)

  function rowOf(task: number): BatchRow {
    const row = statements.one.get({ taskId: task })
    if (!row) throw new Error(`task ${task} has no row of a batch job`)
    return row
  }

  function summaryOf(task: TaskSummary): BatchRunSummary {
    const { name, request, output, errors } = rowOf(task.task)
    const { outputBytes = 0, errorBytes = 0 } = task.figures
    return {
      ...task,
      figures: { outputBytes, errorBytes },
      ...{ name, output, errors, request: JSON.parse(request) as BatchRequest },
    }
  }

  async function begin(request: BatchRequest): Promise<TaskSummary> {
    checkReplica(archive, request.replica)
    const module = await moduleAt(disk, request.module, [archiveFolder, ...archive.places.map((place) => place.folder)])
    const { names, bytesTotal } = await chosenFiles(statements, world, request)
    const name = nameOf(request.module)
    const { files, ...paths } = await createRunFiles(disk, { folder, name, atMs: world.clock.now() })
    const order = { request, module, names, files }
    return tasks.begin(
      'batch',
      {
        subject: message('batch.subject', { name, files: names.length }),
        startedBy: 'user',
        filesTotal: names.length,
        bytesTotal,
        record: (taskId) => void statements.add.run({ taskId, name, request: JSON.stringify(request), ...paths }),
      },
      (task) => batchTask(tools, order, task),
    )
  }

  return {
    async start(request) {
      const count = starting + tasks.activeCount('batch')
      if (count >= runsCountMax) throw new ArchiveFault('refused', message('batch.full', { count }))
      starting += 1
      try {
        return summaryOf(await begin(request))
      } finally {
        starting -= 1
      }
    },
    ended: async (task) => summaryOf(await tasks.ended(task)),
    list: () => tasks.list({ kind: 'batch', limit: runsShownMax }).map(summaryOf),
    async output({ task, of, offset, limit }) {
      const { [of]: path } = rowOf(tasks.one(task, 'batch').task)
      const text = await textAt(disk, path, { offset, limit })
      if (!text) throw new Fault('notFound', message('files.gone', { path }))
      return text
    },
    builtIns: () => Object.entries(builtIns).map(([name, { does }]) => ({ name, does })),
  }
}
