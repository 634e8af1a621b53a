/** Uploads of existing files to every replica, as requested by `loupe upload`. The state of each copy is kept in the catalogue, so an
 *  upload that was stopped or killed can be started again and continues. The list of requested files is kept only in memory. Importing
 *  the contents of the files is a separate step (see import). */
import { isAbsolute } from 'node:path'
import type { UploadedFile, UploadSummary } from '../../contract/services/uploads.ts'
import { Fault, saidBy } from '../../contract/calls/faults.ts'
import { joined } from '../../contract/words/joined.ts'
import { message } from '../../contract/words/message.ts'
import { findFiles, type FilesFound } from '../../files/work/findFiles.ts'
import type { World } from '../../world/world.ts'
import type { Archive } from './archive.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { uploadsKeptMax } from '../files/limits.ts'
import { nowAndThen } from '../files/readThrough.ts'
import { uploadProgress, type FileEnd, type UploadFile, type UploadProgress } from './uploadProgress.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface UploadsParts {
  archive: Archive
  world: World
  /** Number of the job that is writing or storing a file of this name, which an upload must not take; undefined when there is none. */
  jobHolding: (name: string) => number | undefined
  /** Resolves when the uploads that a crash interrupted were continued: two tasks must not write the same copy. */
  ready: Promise<void>
  /** Called with an unexpected error (a bug), which ends the upload. */
  onBug: (error: unknown) => void
}

/** Uploads of this process. */
export interface Uploads {
  /** Starts an upload of files and folders given by absolute paths. Throws `Fault`: badInput, notFound. */
  start(paths: readonly string[]): Promise<UploadSummary>
  show(id: number): UploadSummary
  files(id: number, page: { offset: number; limit: number }): { rows: UploadedFile[]; total: number }
  stop(id: number): Promise<UploadSummary>
  /** Resolves when the upload no longer runs. */
  ended(id: number): Promise<UploadSummary>
  /** Calls the listener a few times a second for each running upload, and always at its start and end. Returns a function that removes
   *  the listener. */
  onChange(listener: (summary: UploadSummary) => void): () => void
  close(): Promise<void>
}

interface Upload {
  progress: UploadProgress
  stopper: AbortController
  /** Resolves when the upload no longer runs. Never rejects. */
  whole: Promise<void>
}

/** Recognises metadata files by the names that NetarchiveSuite uses: `<job>-metadata-<n>.warc`. */
const metadataName = /(^|-)metadata-\d+\.w?arc(\.gz)?$/i

/** Opens uploads. Their list is empty at every start; copies that were interrupted are continued by `Archive.resumeUploads`. */
export function openUploads(parts: UploadsParts): Uploads {
  const { archive, world, ready, onBug } = parts
  const uploads = new Map<number, Upload>()
  const changes = emitter<UploadSummary>()
  let last = 0

  function uploadOf(id: number): Upload {
    const upload = uploads.get(id)
    if (!upload) throw new ArchiveFault('notFound', message('upload.absent', { upload: id }))
    return upload
  }

  function begin({ files, unread }: FilesFound): UploadSummary {
    const id = (last += 1)
    const progress = uploadProgress(id, files, unread)
    const upload: Upload = { progress, stopper: new AbortController(), whole: Promise.resolve() }
    uploads.set(id, upload)
    forgetOldest()
    upload.whole = run(upload)
    const summary = progress.summary()
    changes.emit(summary)
    return summary
  }

  function forgetOldest(): void {
    for (const [id, { progress }] of uploads)
      if (uploads.size > uploadsKeptMax && !progress.isRunning) uploads.delete(id)
  }

  async function run({ progress, stopper }: Upload): Promise<void> {
    const { signal } = stopper
    const emit = () => changes.emit(progress.summary())
    const emitNowAndThen = nowAndThen(world.clock, emit)
    try {
      await Promise.race([ready, abortOf(signal)])
      for (const file of progress.files) {
        if (signal.aborted) break
        progress.begin(file)
        const end = await storeFile(parts, file, signal, (made) => {
          progress.note(made)
          emitNowAndThen(undefined)
        })
        progress.end(file, end)
        if (end.state === 'waiting') break
        emitNowAndThen(undefined)
      }
    } catch (error) {
      onBug(error)
    } finally {
      progress.isRunning = false
      emit()
    }
  }

  function shown(file: UploadFile): UploadedFile {
    const known = file.state === 'refused' ? undefined : archive.file(file.name)
    const replicas = (known?.replicas ?? []).map(({ replica, upload, problem }) => ({ replica, upload, problem }))
    return { ...file, replicas }
  }

  const ended = async (id: number): Promise<UploadSummary> => {
    const { progress, whole } = uploadOf(id)
    await whole
    return progress.summary()
  }

  return {
    start: async (paths) => begin(await filesIn(world, paths)),
    show: (id) => uploadOf(id).progress.summary(),
    files(id, { offset, limit }) {
      const { files } = uploadOf(id).progress
      return { rows: files.slice(offset, offset + limit).map(shown), total: files.length }
    },
    async stop(id) {
      uploadOf(id).stopper.abort()
      return ended(id)
    },
    ended,
    onChange: changes.on,
    async close() {
      for (const { stopper } of uploads.values()) stopper.abort()
      await Promise.all([...uploads.values()].map(({ whole }) => whole))
    },
  }
}

/** Finds the files to upload. Throws `Fault`: badInput for a relative path, notFound when there is no archive file. */
async function filesIn(world: World, paths: readonly string[]): Promise<FilesFound> {
  const relative = paths.findIndex((path) => !isAbsolute(path))
  if (relative >= 0)
    throw new Fault('badInput', message('upload.relative', { path: paths[relative] ?? '' }), {
      fields: [['paths', relative]],
    })
  const found = await findFiles(world.disk, paths, { signal: new AbortController().signal })
  if (found.files.length + found.unread.length === 0)
    throw new Fault('notFound', message('files.noArchiveFile', { paths: paths.join(', ') }), {
      fields: [['paths']],
    })
  return found
}

/** Stores one file. A stop and a fault are results; other errors are bugs. */
async function storeFile(
  { archive, jobHolding }: UploadsParts,
  { path, name }: UploadFile,
  signal: AbortSignal,
  onProgress: UploadProgress['note'],
): Promise<FileEnd> {
  try {
    const job = jobHolding(name)
    if (job !== undefined && (archive.file(name)?.stored ?? null) === null)
      throw new ArchiveFault('refused', message('upload.ofJob', { job, name }))
    const kind = metadataName.test(name) ? 'metadata' : 'content'
    const file = { path, name, kind, jobId: null } as const
    const outcome = await archive.store(file, { signal, onProgress, restoresMissing: true })
    if (outcome.state === 'stored') return { state: 'stored', problem: null, code: null }
    const [first] = outcome.problems
    const problem = joined(outcome.problems.map((each) => each.problem))
    return { state: 'failed', problem, code: first?.code ?? 'internal' }
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { state: 'waiting', problem: null, code: null }
    if (!(error instanceof Fault)) throw error
    return { state: 'refused', problem: saidBy(error), code: error.code }
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
