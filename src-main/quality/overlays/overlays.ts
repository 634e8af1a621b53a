/** Overlays: captures of a patch job that the viewer shows with the job that it patches. One is made when the patch job has ended. Each change
 *  is in the database at once, and then in a quality file of the patched job, from which it is restored elsewhere. */
import { againIfAsked } from '../../contract/calls/againIfAsked.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Overlay } from '../../contract/services/overlays.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { filesNamedMax } from '../model/limits.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import { overlayRecord, type NamedJob } from './overlayRecord.ts'
import { overlayStatements, type OverlayRow } from './overlays.sql.ts'
import { overlayRestoring } from './restoreOverlays.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  archive: Archive
  jobs: Pick<Jobs, 'known'>
  files: QualityFiles
  /** Takes a fault of a replica or of the disk that no caller waits for. */
  onProblem: (error: unknown) => void
}

/** What is changed of an overlay. */
export interface OverlayChange {
  patches: number
  job: number
  name?: string | undefined
  isOn?: boolean | undefined
}

/** The overlays of an archive. */
export interface Overlays {
  /** The overlays of jobs, by patched job, then by patch job. */
  list(jobs: readonly number[]): Overlay[]
  /** Changes an overlay. Resolves when a quality file has the change, or a fault that prevents it was reported. Throws `Fault` notFound. */
  change(change: OverlayChange): Promise<Overlay>
  /** The overlays of jobs that are on, without those whose patch job runs or has no files. */
  shown(jobs: readonly number[]): Overlay[]
  /** Patch jobs whose captures a view of these jobs shows too: those of `shown`, and of overlays of these patch jobs. Ascending, without the
   *  jobs themselves. */
  over(jobs: readonly number[]): number[]
  /** Makes the overlays of patch jobs that have ended, restores those in quality files that have not been read, and records changes. To be
   *  called when a job has ended. Calls share the work; faults are reported. */
  settle(): Promise<void>
  /** Begins nothing more, and resolves when what was begun has ended. */
  close(): Promise<void>
}

/** Opens the overlays. */
export function openOverlays(parts: Parts): Overlays {
  const { store, world, archive, jobs, onProblem } = parts
  const sql = overlayStatements(store)
  const restore = overlayRestoring(parts)
  const recordAll = overlayRecorder(parts)
  let isClosed = false
  /** Two at once would record the same change. */
  const inTurn = oneAtATime()

  /** What cannot be recorded now is recorded when `settle` is called the next time. */
  const record = (): Promise<void> => inTurn(() => recordAll().catch(onProblem))

  function addEnded(): void {
    for (const { patches, job, endedMs } of sql.ended.all({})) {
      const name = textOf(message('overlay.name', { job: patches, date: new Date(endedMs).toISOString().slice(0, 10) }))
      const nowMs = world.clock.now()
      sql.put.run({ patches, job, name, isOn: 1, createdMs: nowMs, changedMs: nowMs, recordedMs: null })
    }
  }

  const settle = againIfAsked(async () => {
    if (isClosed) return
    try {
      addEnded()
      await restore()
    } catch (error) {
      onProblem(error)
    }
    await record()
  })

  function list(asked: readonly number[]): Overlay[] {
    // What shows a solved miss shows its overlay, too.
    addEnded()
    return sql.list.all({ jobs: JSON.stringify(asked) }).map(overlayOf)
  }

  function shown(asked: readonly number[]): Overlay[] {
    return list(asked).filter(({ job, isOn }) => isOn && jobs.known(job)?.ended !== null && archive.hasFilesOf(job))
  }

  return {
    list,
    async change({ patches, job, name, isOn }) {
      const row = sql.one.get({ patches, job })
      if (!row) throw new Fault('notFound', message('overlay.absent', { patches, job }))
      const changed: OverlayRow = {
        ...row,
        ...(name !== undefined && { name }),
        ...(isOn !== undefined && { isOn: isOn ? 1 : 0 }),
        // Records are in the order of their times, also when the clock was set back.
        changedMs: Math.max(world.clock.now(), row.changedMs + 1),
      }
      sql.put.run({ ...changed, recordedMs: null })
      await record()
      return overlayOf(changed)
    },
    shown,
    over(asked) {
      const over = new Set<number>()
      for (let next: readonly number[] = asked; next.length > 0;) {
        const found = new Set(shown(next).map(({ job }) => job))
        next = [...found].filter((job) => !asked.includes(job) && !over.has(job))
        for (const job of next) over.add(job)
      }
      return [...over].toSorted((a, b) => a - b)
    },
    settle,
    async close() {
      isClosed = true
      await settle()
      await inTurn(() => undefined)
    },
  }
}

/** Returns a function that writes the changes that no quality file has, one file per patched job. */
function overlayRecorder({ store, archive, files }: Pick<Parts, 'store' | 'archive' | 'files'>): () => Promise<void> {
  const sql = overlayStatements(store)

  function nameJob(job: number): NamedJob {
    const { files: all } = archive.selected({ jobs: [job] })
    return { job, files: all.slice(0, filesNamedMax).map(({ name, sha256 }) => ({ name, sha256 })) }
  }

  return async () => {
    for (const [patched, rows] of Map.groupBy(sql.unrecorded.all({}), ({ patches }) => patches)) {
      await files.write(
        patched,
        rows.map((row) => overlayRecord(row, nameJob)),
      )
      store.transaction(() => {
        for (const { patches, job, changedMs } of rows) sql.noteRecorded.run({ patches, job, changedMs })
      })
    }
  }
}

function overlayOf({ isOn, createdMs, changedMs, ...overlay }: OverlayRow): Overlay {
  const [created, changed] = [new Date(createdMs).toISOString(), new Date(changedMs).toISOString()]
  return { ...overlay, isOn: isOn === 1, created, changed }
}
