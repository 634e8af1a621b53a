/** Uploads: store files from elsewhere in every replica, as requested by `loupe upload`. An upload is a task that can be paused, and
 *  resumed after a restart. Importing the contents of the files is a separate step (see import). */
import { basename, isAbsolute } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import type { UploadedFile, UploadSummary } from '../../contract/services/uploads.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import { findFiles, type FilesFound } from '../../files/work/findFiles.ts'
import type { Store } from '../../storage/storage.ts'
import type { Task } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import { uploadsKeptMax, uploadsShownMax } from '../files/limits.ts'
import type { Archive } from './archive.ts'
import { uploadStatements, type UploadFileRow } from './uploads.sql.ts'
import { uploadTask, type UploadTools } from './uploadTask.ts'

export interface UploadsParts extends Pick<UploadTools, 'jobHolding' | 'ready'> {
  archive: Archive
  store: Store
  tasks: Tasks
  world: Pick<World, 'disk'>
}

export interface Uploads {
  /** Starts an upload of files and folders given by absolute paths. Throws `Fault`: badInput, notFound. */
  start(paths: readonly string[]): Promise<UploadSummary>
  /** Files of an upload, in the order in which they are stored. Throws `Fault` notFound. */
  files(task: number, page: { offset: number; limit: number }): { rows: UploadedFile[]; total: number }
  /** Resolves when the upload no longer runs in this process. */
  ended(task: number): Promise<UploadSummary>
  /** Uploads, newest first, at most `uploadsShownMax`. */
  list(): UploadSummary[]
}

/** Opens uploads. One that a kill interrupted waits until the user resumes it; `Archive.resumeUploads` continues the copies that were being
 *  written. */
export async function openUploads(parts: UploadsParts): Promise<Uploads> {
  const { archive, store, tasks, world, jobHolding, ready } = parts
  const statements = uploadStatements(store)
  const tools: UploadTools = { archive, store, statements, jobHolding, ready, storing: new Map() }
  const work = (task: Task) => uploadTask(tools, task)
  await tasks.register('upload', { resume: work, endedMax: uploadsKeptMax })

  function summaryOf(task: TaskSummary): UploadSummary {
    const row = statements.unread.get({ taskId: task.task })
    if (!row) throw new Error(`task ${task.task} has no row of an upload`)
    return { ...task, unread: JSON.parse(row.unread) as UploadSummary['unread'] }
  }

  function shown(task: number, { number, path, bytes, state, problem, code }: UploadFileRow): UploadedFile {
    const name = basename(path)
    const known = state === 'refused' ? undefined : archive.file(name)
    return {
      ...{ path, name, bytes, code },
      state: state === 'waiting' && tools.storing.get(task) === number ? 'storing' : state,
      problem: messageFrom(problem),
      replicas: (known?.replicas ?? []).map(({ replica, upload, problem: ofCopy }) => ({
        replica,
        upload,
        problem: ofCopy,
      })),
    }
  }

  return {
    async start(paths) {
      const { files, unread } = await filesIn(world, paths)
      const task = tasks.begin(
        'upload',
        {
          subject: message('upload.subject', { files: files.length, path: paths[0] ?? '', more: paths.length - 1 }),
          startedBy: 'user',
          filesTotal: files.length,
          bytesTotal: files.reduce((sum, { bytes }) => sum + bytes, 0),
          after: ready,
          record(taskId) {
            statements.add.run({ taskId, unread: JSON.stringify(unread) })
            statements.addFiles.run({ taskId, files: JSON.stringify(files) })
          },
        },
        work,
      )
      return summaryOf(task)
    },
    files(id, { offset, limit }) {
      const { task, filesTotal } = tasks.one(id, 'upload')
      const rows = statements.files.all({ taskId: task, offset, limit })
      return { rows: rows.map((row) => shown(task, row)), total: filesTotal }
    },
    ended: async (task) => summaryOf(await tasks.ended(task)),
    list: () => tasks.list({ kind: 'upload', limit: uploadsShownMax }).map(summaryOf),
  }
}

/** Finds the files to upload. Throws `Fault`: badInput for a relative path, notFound when there is no archive file. */
async function filesIn({ disk }: Pick<World, 'disk'>, paths: readonly string[]): Promise<FilesFound> {
  const relative = paths.findIndex((path) => !isAbsolute(path))
  if (relative >= 0)
    throw new Fault('badInput', message('path.relative', { path: paths[relative] ?? '' }), {
      fields: [['paths', relative]],
    })
  const found = await findFiles(disk, paths, { signal: new AbortController().signal })
  if (found.files.length + found.unread.length === 0)
    throw new Fault('notFound', message('files.noArchiveFile', { paths: paths.join(', ') }), {
      fields: [['paths']],
    })
  return found
}
