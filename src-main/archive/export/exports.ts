/** Exports: write a selection of the archive to a new file outside of it. Invalid requests are refused before anything is written; the
 *  file is written in a separate thread (`files/export`). An export is a task that cannot continue: an incomplete file is useless, and
 *  the export is easily started again. The caller knows which jobs exist and whether they have ended (see `app`). */
import { join } from 'node:path'
import { exportedMessage, type ExportRequest, type ExportSummary } from '../../contract/services/exports.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { exportsCountMax } from '../files/limits.ts'
import type { Archive } from '../store/archive.ts'
import { checkMatching, checkRequest, checkSpace, checkTarget, filesOfRequest } from './exportChecks.ts'
import { exportStatements } from './exports.sql.ts'
import { writeExport, type ExportSource, type ExportTools } from './exportWork.ts'
import { emptyWorkFolder, removePart } from './leftovers.ts'
import { signingKeys } from './signingKey.ts'

export interface ExportsParts {
  archive: Archive
  store: Store
  tasks: Tasks
  world: World
  archiveFolder: string
  /** Name and version of the software, as in `Loupe/1.2`. */
  software: string
}

export interface Exports {
  /** Starts an export. Throws `Fault`: badInput, refused (the file exists or is in a replica), notFound (no such folder or file, or a
   *  job has no files), noSpace. */
  start(request: ExportRequest, source: ExportSource): Promise<ExportSummary>
  /** Resolves when the export no longer runs in this process. */
  ended(task: number): Promise<ExportSummary>
  /** Exports, newest first, at most `exportsCountMax`. */
  list(): ExportSummary[]
}

/** Opens exports, and removes what interrupted ones have left. */
export async function openExports(parts: ExportsParts): Promise<Exports> {
  const { archive, store, tasks, world, archiveFolder, software } = parts
  const { disk } = world
  const statements = exportStatements(store)
  // A subfolder, because finished exports are in the folder that the interface suggests.
  const workFolder = join(archiveFolder, 'exports', '.unfinished')
  const tools: ExportTools = { archive, world, workFolder, software, signingKey: signingKeys(disk, archiveFolder) }
  await tasks.register('export', {
    onInterrupted: ({ task, stage }) => removePart(disk, rowOf(task).request, stage),
  })
  await emptyWorkFolder(disk, workFolder)

  function rowOf(task: number): { request: ExportRequest; remarks: Message[] } {
    const row = statements.one.get({ taskId: task })
    if (!row) throw new Error(`task ${task} has no row of an export`)
    return { request: JSON.parse(row.request) as ExportRequest, remarks: JSON.parse(row.remarks) as Message[] }
  }

  function summaryOf(task: TaskSummary): ExportSummary {
    const { records = 0, bytes = 0 } = task.figures
    const isComplete = task.state === 'DONE'
    const isVerified = isComplete || task.state === 'DONE_INCOMPLETE'
    return { ...task, figures: { records, bytes }, ...rowOf(task.task), verified: isVerified, complete: isComplete }
  }

  return {
    async start(request, source) {
      checkRequest(request)
      checkMatching(request)
      await checkTarget(disk, request, { archive, archiveFolder })
      const files = await filesOfRequest(archive, request)
      const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0)
      await checkSpace(disk, request, bytesTotal)
      const order = { request, files, ...source }
      const task = tasks.begin(
        'export',
        {
          subject: message('export.subject', { what: exportedMessage(request), path: request.path }),
          startedBy: 'user',
          stage: request.matching ? 'listing' : 'writing',
          filesTotal: files.length,
          // The new file is read again.
          bytesTotal: bytesTotal * 2,
          record: (taskId) => void statements.add.run({ taskId, request: JSON.stringify(request) }),
        },
        (running) =>
          writeExport(tools, order, running, (remarks) => {
            statements.noteRemarks.run({ taskId: running.id, remarks: JSON.stringify(remarks) })
          }),
      )
      return summaryOf(task)
    },
    ended: async (task) => summaryOf(await tasks.ended(task)),
    list: () => tasks.list({ kind: 'export', limit: exportsCountMax }).map(summaryOf),
  }
}
