/** Uploads of existing files to every replica, as requested by `loupe upload`. The state of each copy is kept in the catalogue, so an
 *  upload that was stopped or killed can be started again and continues. The list of requested files is kept only in memory. Importing
 *  the contents of the files is a separate step (see import). */
import { basename, isAbsolute } from 'node:path'
import type { UploadedFile, UploadSummary } from '../../contract/services/uploads.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { findFiles, type FoundFile } from '../../files/work/findFiles.ts'
import type { World } from '../../world/world.ts'
import type { Archive } from './archive.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { uploadsKeptMax } from '../files/limits.ts'
import { nowAndThen } from '../files/readThrough.ts'
import type { StoreProgress } from './upload.ts'
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
  files: Omit<UploadedFile, 'replicas'>[]
  unread: UploadSummary['unread']
  filesDone: number
  bytesDone: number
  bytesTotal: number
  /** Bytes of the current file that are done, by replica. */
  underWay: Map<string, number>
  isRunning: boolean
  stopper: AbortController
  whole: Promise<void>
}

/** Recognises metadata files by the names that NetarchiveSuite uses: `<job>-metadata-<n>.warc`. */
const metadataName = /(^|-)metadata-\d+\.w?arc(\.gz)?$/i

export function openUploads({ archive, world, jobHolding, ready, onBug }: UploadsParts): Uploads {
  const uploads = new Map<number, Upload>()
  const changes = emitter<UploadSummary>()
  let last = 0

  function found(id: number): Upload {
    const upload = uploads.get(id)
    if (!upload) throw new ArchiveFault('notFound', `There is no upload ${id} in this session of Loupe.`)
    return upload
  }

  function summary(id: number): UploadSummary {
    const { files, unread, filesDone, bytesDone, bytesTotal, underWay, isRunning } = found(id)
    const behind = underWay.size === 0 ? 0 : Math.min(...underWay.values())
    return {
      upload: id,
      filesDone,
      filesTotal: files.length,
      bytesDone: Math.min(bytesTotal, bytesDone + Math.floor(behind)),
      bytesTotal,
      isRunning,
      unread,
    }
  }

  function tell(id: number): UploadSummary {
    const told = summary(id)
    changes.emit(told)
    return told
  }

  function begin(files: readonly FoundFile[], unread: UploadSummary['unread']): UploadSummary {
    const id = (last += 1)
    const upload: Upload = {
      files: files.map(({ path, bytes }) => {
        return { path, name: basename(path), bytes, state: 'waiting', problem: null, code: null }
      }),
      unread,
      filesDone: 0,
      bytesDone: 0,
      bytesTotal: files.reduce((sum, { bytes }) => sum + bytes, 0),
      underWay: new Map(),
      isRunning: true,
      stopper: new AbortController(),
      whole: Promise.resolve(),
    }
    uploads.set(id, upload)
    forgetOldest()
    upload.whole = through(id, upload)
    return tell(id)
  }

  function forgetOldest(): void {
    for (const [id, { isRunning }] of uploads) if (uploads.size > uploadsKeptMax && !isRunning) uploads.delete(id)
  }

  async function through(id: number, upload: Upload): Promise<void> {
    const { signal } = upload.stopper
    const told = nowAndThen(world.clock, () => void tell(id))
    try {
      await Promise.race([ready, abortOf(signal)])
      for (const file of upload.files) {
        if (signal.aborted) break
        file.state = 'storing'
        const ended = await end(file, signal, (progress) => onMessage(upload, progress, () => told(undefined)))
        Object.assign(file, ended)
        upload.underWay.clear()
        if (ended.state === 'waiting') break
        upload.filesDone += 1
        upload.bytesDone += file.bytes
        told(undefined)
      }
    } catch (error) {
      onBug(error)
    } finally {
      upload.isRunning = false
      tell(id)
    }
  }

  async function end(
    { path, name }: { path: string; name: string },
    signal: AbortSignal,
    onProgress: (progress: StoreProgress) => void,
  ): Promise<Pick<UploadedFile, 'state' | 'problem' | 'code'>> {
    try {
      const job = jobHolding(name)
      if (job !== undefined && (archive.file(name)?.stored ?? null) === null)
        throw new ArchiveFault('refused', `job ${job} has a file named ${name}: choose another name`)
      const kind = metadataName.test(name) ? 'metadata' : 'content'
      const outcome = await archive.store(
        { path, name, kind, jobId: null },
        { signal, onProgress, restoresMissing: true },
      )
      if (outcome.state === 'stored') return { state: 'stored', problem: null, code: null }
      const [first] = outcome.problems
      const problem = outcome.problems.map((each) => each.problem).join('; ')
      return { state: 'failed', problem, code: first?.code ?? 'internal' }
    } catch (error) {
      if (signal.aborted && error === signal.reason) return { state: 'waiting', problem: null, code: null }
      if (!(error instanceof Fault)) throw error
      return { state: 'refused', problem: error.message, code: error.code }
    }
  }

  function onMessage(
    { underWay }: Upload,
    { replica, step, bytes, bytesTotal }: StoreProgress,
    told: () => void,
  ): void {
    // Each file is written once and read back once; each pass counts as half of its bytes.
    underWay.set(replica, (step === 'verifying' ? bytesTotal + bytes : bytes) / 2)
    told()
  }

  function shown(file: Upload['files'][number]): UploadedFile {
    const known = file.state === 'refused' ? undefined : archive.file(file.name)
    const replicas = (known?.replicas ?? []).map(({ replica, upload, problem }) => ({ replica, upload, problem }))
    return { ...file, replicas }
  }

  return {
    async start(paths) {
      const at = paths.findIndex((path) => !isAbsolute(path))
      if (at >= 0)
        throw new Fault('badInput', `${paths[at]} is no absolute path: say in which folder it is.`, {
          fields: [['paths', at]],
        })
      const { files, unread } = await findFiles(world.disk, paths, { signal: new AbortController().signal })
      if (files.length + unread.length === 0)
        throw new Fault('notFound', `There is no archive file (WARC, ARC or WACZ) in ${paths.join(', ')}.`, {
          fields: [['paths']],
        })
      return begin(files, unread)
    },
    show: summary,
    files(id, { offset, limit }) {
      const { files } = found(id)
      return { rows: files.slice(offset, offset + limit).map(shown), total: files.length }
    },
    async stop(id) {
      const { stopper, whole } = found(id)
      stopper.abort()
      await whole
      return summary(id)
    },
    async ended(id) {
      await found(id).whole
      return summary(id)
    },
    onChange: changes.on,
    async close() {
      for (const { stopper } of uploads.values()) stopper.abort()
      await Promise.all([...uploads.values()].map(({ whole }) => whole))
    },
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
