/** Batch jobs: run a module chosen by the user over selected files of the archive, in separate threads. Built-in modules are run in
 *  the same way. The output and the errors of a run are written to two files in the archive's `batch/` folder, and every run is
 *  listed. A run ends with the engine and is not resumed, since it would have to read everything again. The module's code is not
 *  sandboxed; its interface is defined in `batchModule.ts`. */
import { join } from 'node:path'
import type { BatchOutput, BatchRequest, BatchRunSummary } from '../../contract/services/batch.ts'
import { Fault, inField, type FaultCode } from '../../contract/calls/faults.ts'
import { batchStates } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import { ArchiveFault, faultCodeOf } from '../files/archiveFault.ts'
import { deadline } from './deadline.ts'
import { nameMatcher } from '../files/matcher.ts'
import { nowAndThen } from '../files/readThrough.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { batchStatements, type BatchRow } from './batch.sql.ts'
import { builtIns, moduleAt, nameOf, type ModulePlace } from './modulePlace.ts'
import { runBatch, type RunEnd, type RunProgress } from './batchRun.ts'
import {
  defaultBatchLimits,
  namesPageCount,
  runFilesMax,
  runsCountMax,
  runsShownMax,
  type BatchLimits,
} from './limits.ts'
import { textAt } from './outputText.ts'
import { openRunFiles, removeParts, type RunFiles } from './runFiles.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

export interface BatchParts {
  archive: Archive
  store: Store
  world: World
  archiveFolder: string
  limits?: Partial<BatchLimits>
  /** Called with an unexpected error (a bug) during a run, which then fails. */
  onBug: (error: unknown) => void
}

export interface Batch {
  /** Starts a run. Throws `Fault`: badInput (no such module), notFound (no such module file or replica, or no matching file), refused
   *  (the module is in the archive, the replica holds only checksums, or there are too many files or runs). */
  start(request: BatchRequest): Promise<BatchRunSummary>
  stop(run: number): Promise<BatchRunSummary>
  /** Resolves when the run no longer runs in this process. */
  ended(run: number): Promise<BatchRunSummary>
  /** Runs, newest first, at most `runsShownMax`. */
  list(): BatchRunSummary[]
  output(wanted: { run: number; of: 'output' | 'errors'; offset: number; limit: number }): Promise<BatchOutput>
  builtIns(): { name: string; does: string }[]
  /** Calls the listener a few times a second for each run, and always at its start and end. Returns a function that removes the
   *  listener. */
  onChange(listener: (summary: BatchRunSummary) => void): () => void
  /** Stops all runs; they are marked as interrupted. */
  close(): Promise<void>
}

interface Run {
  stopper: AbortController
  files: RunFiles
  progress: RunProgress
  whole: Promise<void>
}

interface Order {
  request: BatchRequest
  module: ModulePlace
  names: string[]
}

const secondMs = 1_000

/** Opens batch jobs and marks the runs that a crash left as interrupted. */
export async function openBatch({ archive, store, world, archiveFolder, ...parts }: BatchParts): Promise<Batch> {
  const { disk } = world
  const limits = { ...defaultBatchLimits, ...parts.limits }
  const folder = join(archiveFolder, 'batch')
  const statements = batchStatements(store)
  const move = mover(store, batchStates, { table: 'batch_run' })
  const changes = emitter<BatchRunSummary>()
  const runs = new Map<number, Run>()
  /** Number of runs that are starting and not in `runs` yet; they count towards the limit. */
  let beginning = 0
  const cutText = 'Loupe ended while it ran: its output is not whole.'
  for (const { id } of statements.unended.all({})) end(id, 'interrupted', { problem: cutText, code: null })
  await removeParts(disk, folder)

  function end(
    id: number,
    event: 'finished' | 'finishedWithFailures' | 'stop' | 'interrupted' | 'failed',
    { problem, code }: { problem: string | null; code: FaultCode | null },
  ): boolean {
    return store.transaction(() => {
      if (move(id, event) === undefined) return false
      note(id)
      statements.noteEnd.run({ id, nowMs: world.clock.now(), problem, code })
      return true
    })
  }

  function note(id: number): void {
    const run = runs.get(id)
    if (run) statements.noteProgress.run({ id, ...progressOf(run) })
  }

  function rowOf(id: number): BatchRow {
    const row = statements.one.get({ id })
    if (!row) throw new ArchiveFault('notFound', `There is no batch run ${id}.`)
    return row
  }

  function summary(id: number): BatchRunSummary {
    const run = runs.get(id)
    return summaryOf({ ...rowOf(id), ...(run && progressOf(run)) })
  }

  function tell(id: number): BatchRunSummary {
    const told = summary(id)
    changes.emit(told)
    return told
  }

  function refuseReplica(replica: string | undefined): void {
    if (replica === undefined) return
    const place = archive.places.find(({ name }) => name === replica)
    const known = archive.places.map(({ name }) => name).join(', ')
    const inReplica = { fields: [['replica']] }
    if (!place)
      throw new ArchiveFault('notFound', `There is no replica ${replica}: the archive has ${known}.`, inReplica)
    if (place.kind === 'checksums')
      throw new ArchiveFault(
        'refused',
        `Replica ${replica} holds checksums and no files: name another of ${known}.`,
        inReplica,
      )
  }

  /** Finds the files of a request. Other work can run between the pages. */
  async function chosen({ files, jobs, kind }: BatchRequest): Promise<{ names: string[]; bytesTotal: number }> {
    const meant = inField(['files'], () => nameMatcher(world, files ?? null))
    const names: string[] = []
    let bytesTotal = 0
    const wanted = {
      jobs: jobs ? JSON.stringify(jobs) : null,
      kind: kind === 'both' ? null : kind,
      limit: namesPageCount,
    }
    for (let after = ''; ;) {
      const page = statements.names.all({ ...wanted, after })
      for (const { name, bytes } of await meant(page)) {
        names.push(name)
        bytesTotal += bytes
      }
      if (names.length > runFilesMax)
        throw new ArchiveFault('refused', `These are more than ${runFilesMax} files: choose fewer by name or job.`, {
          fields: [['files']],
        })
      const last = page.at(-1)
      if (!last || page.length < namesPageCount) return { names, bytesTotal }
      after = last.name
      await world.clock.sleep(0)
    }
  }

  /** Opens the files of a run. If a run of the same module has this timestamp, the next millisecond is used. */
  async function opened(name: string, atMs: number): Promise<{ files: RunFiles; output: string; errors: string }> {
    await disk.makeFolder(folder)
    for (let stampMs = atMs; ; stampMs += 1) {
      const base = join(folder, `${name}-${new Date(stampMs).toISOString().replaceAll(/\D/g, '')}`)
      const paths = { output: `${base}.out`, errors: `${base}.err` }
      try {
        return { files: await openRunFiles(disk, paths), ...paths }
      } catch (error) {
        if (!(error instanceof DiskFault) || error.code !== 'exists') throw error
      }
    }
  }

  async function begin(request: BatchRequest): Promise<BatchRunSummary> {
    refuseReplica(request.replica)
    const module = await moduleAt(disk, request.module, [archiveFolder, ...archive.places.map((place) => place.folder)])
    const { names, bytesTotal } = await chosen(request)
    if (names.length === 0 && request.files !== undefined)
      throw new ArchiveFault('notFound', `No chosen file has a name that matches ${request.files}: nothing was run.`, {
        fields: [['files']],
      })
    const startedMs = world.clock.now()
    const name = nameOf(request.module)
    const { files, output, errors } = await opened(name, startedMs)
    const text = JSON.stringify(request)
    const counts = { filesTotal: names.length, bytesTotal, startedMs }
    const added = statements.add.get({ name, module: request.module, request: text, output, errors, ...counts })
    if (!added) throw new Error('adding a batch run gave no row')
    const { id } = added
    const progress = { processed: 0, failed: 0, bytesDone: 0 }
    const run: Run = { stopper: new AbortController(), files, progress, whole: Promise.resolve() }
    runs.set(id, run)
    run.whole = through(id, run, { request, module, names }).finally(() => runs.delete(id))
    return tell(id)
  }

  async function through(id: number, run: Run, order: Order): Promise<void> {
    try {
      const ended = await endOf(id, run, order)
      await run.files.close()
      await disk.syncFolder(folder)
      settle(id, run, ended)
    } catch (error) {
      await broken(id, run, error)
    }
    note(id)
    tell(id)
  }

  async function endOf(id: number, run: Run, { request, module, names }: Order): Promise<RunEnd> {
    const time = deadline(world.clock, request.timeoutSeconds * secondMs)
    const told = nowAndThen(world.clock, () => void tell(id))
    try {
      const ended = await runBatch(
        { run: id, module, names, replica: request.replica, fileMsMax: request.fileTimeoutSeconds * secondMs },
        {
          archive,
          world,
          limits,
          files: run.files,
          folder,
          signal: AbortSignal.any([run.stopper.signal, time.signal]),
          onProgress(progress) {
            run.progress = progress
            told(undefined)
          },
        },
      )
      if (ended.kind !== 'cut' || run.stopper.signal.aborted) return ended
      return { kind: 'failed', problem: `It took longer than ${request.timeoutSeconds} s and was ended.` }
    } finally {
      await time.end()
    }
  }

  /** Records the end of a run. The end of a stopped run is already recorded. */
  function settle(id: number, { progress }: Run, ended: RunEnd): void {
    if (ended.kind === 'done')
      end(id, progress.failed === 0 ? 'finished' : 'finishedWithFailures', { problem: null, code: null })
    if (ended.kind === 'failed') end(id, 'failed', { problem: ended.problem, code: 'refused' })
  }

  async function broken(id: number, run: Run, error: unknown): Promise<void> {
    await run.files.close().catch(undefinedOnFault)
    if (error instanceof DiskFault) {
      const problem = `Its output cannot be written: ${error.message}.`
      return void end(id, 'failed', { problem, code: faultCodeOf[error.code] })
    }
    parts.onBug(error)
    const problem = `Loupe could not go on: ${messageOf(error)}`
    end(id, 'failed', { problem, code: 'internal' })
  }

  return {
    async start(request) {
      if (runs.size + beginning >= runsCountMax)
        throw new ArchiveFault('refused', `${runsCountMax} batch jobs are running: wait for one, or stop it.`)
      beginning += 1
      try {
        return await begin(request)
      } finally {
        beginning -= 1
      }
    },
    async stop(id) {
      const { state } = rowOf(id)
      if (!end(id, 'stop', { problem: null, code: null }))
        throw new ArchiveFault('refused', `Batch run ${id} is not running: it is ${state}.`)
      const running = runs.get(id)
      running?.stopper.abort()
      await running?.whole
      return tell(id)
    },
    async ended(id) {
      await runs.get(id)?.whole
      return summary(id)
    },
    list: () => statements.newest.all({ limit: runsShownMax }).map(({ id }) => summary(id)),
    async output({ run, of, offset, limit }) {
      const row = rowOf(run)
      const path = of === 'output' ? row.output : row.errors
      const text = await textAt(disk, path, { offset, limit })
      if (!text) throw new Fault('notFound', `${path} is no longer there.`)
      return text
    },
    builtIns: () => Object.entries(builtIns).map(([name, { does }]) => ({ name, does })),
    onChange: changes.on,
    async close() {
      for (const [id, { stopper }] of runs) {
        end(id, 'interrupted', { problem: cutText, code: null })
        stopper.abort()
      }
      await Promise.all([...runs.values()].map(({ whole }) => whole))
    },
  }
}

function progressOf({ progress, files }: Run) {
  return { ...progress, outputBytes: files.outputBytes, errorBytes: files.errorBytes }
}

/** Request of a run, as stored by `begin`. */
function requestOf({ request }: BatchRow): BatchRequest {
  return JSON.parse(request) as BatchRequest
}

function summaryOf(row: BatchRow): BatchRunSummary {
  const { name, state, filesTotal, bytesTotal, processed, failed, bytesDone, problem, code } = row
  const { output, errors, outputBytes, errorBytes } = row
  return {
    run: row.id,
    name,
    request: requestOf(row),
    state,
    filesTotal,
    bytesTotal,
    processed,
    failed,
    bytesDone,
    output,
    errors,
    outputBytes,
    errorBytes,
    started: new Date(row.startedMs).toISOString(),
    ended: timeOf(row.endedMs),
    problem,
    code,
  }
}
