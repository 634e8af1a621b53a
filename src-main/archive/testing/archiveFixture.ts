/** Test fixture: an archive with all its parts, built by the same function as in the engine (`archiveParts.ts`), over any world,
 *  database and replicas. Used by the fault suite and the simulation, which cause the damage themselves; `invariants.ts` checks the
 *  results. */
import { join } from 'node:path'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive, type ArchiveParts } from '../store/archive.ts'
import { openAuditLog, type AuditLog } from '../audit/audit.ts'
import { openArchiveParts } from '../archiveParts.ts'
import type { Preservation } from '../check/preservation.ts'
import type { Repairs } from '../repair/repair.ts'
import type { Reporting } from '../report/reporting.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { openSchedule } from '../check/schedule.ts'
import type { SpotChecks } from '../check/spotChecks.ts'
import type { CopyStatus } from '../copies/copyStatus.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { openChecks } from './openChecks.ts'

export interface ArchiveFixtureParts {
  world: World
  store: Store
  places: readonly ReplicaPlace[]
  /** Folder of the database; it holds the witness of the audit log. */
  folder: string
  replicaAt?: ArchiveParts['replicaAt']
}

export interface ArchiveFixture {
  world: World
  store: Store
  places: readonly ReplicaPlace[]
  archive: Archive
  tasks: Tasks
  preservation: Preservation
  repairs: Repairs
  spotChecks: SpotChecks
  copyStatus: CopyStatus
  reporting: Reporting
  auditLog: AuditLog
  /** Unexpected errors that were reported. */
  bugs: unknown[]
  /** Lets two days pass and then runs everything that the schedule has due. */
  daysPass(): Promise<void>
  /** Closes everything as the engine does. */
  close(): Promise<void>
}

const dayMs = 86_400_000
/** Time in which the schedule looks for due checks several times; it starts one action each time. */
const dayOfLooksMs = 5 * 600_000
const never = new AbortController().signal

export async function openArchiveFixture({
  world,
  store,
  places,
  folder,
  replicaAt,
}: ArchiveFixtureParts): Promise<ArchiveFixture> {
  const bugs: unknown[] = []
  const onBug = (error: unknown) => void bugs.push(error)
  const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
  const archive = await openArchive({ store, world, replicas: places, limits, ...(replicaAt ? { replicaAt } : {}) })
  const { tasks, preservation, close } = await openChecks({ archive, store, world, onBug })
  const auditLog = openAuditLog(store)
  const names = places.map(({ name }) => name)
  const report = {
    overdueDays: 100,
    checksumsEveryDays: 30,
    checksumsSample: 0,
    places: Object.fromEntries(names.map((name) => [name, `the house of ${name}`])),
    declared: [],
  }
  const { auditHead, copyStatus, spotChecks, backups, repairs, reporting } = await openArchiveParts({
    ...{
      archive,
      preservation,
      auditLog,
      store,
      tasks,
      world,
      archiveFolder: folder,
      software: 'Loupe',
      onProblem: onBug,
    },
    databasePath: join(folder, 'loupe.db'),
    backups: {
      ...{ replicas: archive.places, leftOut: [], isScheduled: false },
      settings: () => ({ folder: join(folder, 'backups'), everyHours: 0, keepCount: 1, keepDays: 0 }),
    },
    report: () => report,
    outside: async () => ({ waiting: [], waitingTotal: 0, unknown: [], unknownTotal: 0 }),
  })
  return {
    world,
    store,
    places,
    archive,
    tasks,
    preservation,
    spotChecks,
    copyStatus,
    auditLog,
    bugs,
    repairs,
    reporting,
    async daysPass() {
      await world.clock.sleep(2 * dayMs)
      const rhythm = () => ({ missingDays: 1, checksumsDays: 1, checksumsSample: 0, spotDays: 1, spotFiles: 100 })
      const schedule = openSchedule({
        preservation,
        tasks,
        spotChecks,
        replicas: archive.places.map(({ name }) => name),
        store,
        world,
        rhythm,
        onBug,
      })
      await world.clock.sleep(dayOfLooksMs)
      await schedule.close()
    },
    async close() {
      await close()
      await backups.close()
      await auditHead.close()
    },
  }
}

/** Recovers as the engine does at a start: continues interrupted uploads, repairs and checks. */
export async function recover({ archive, repairs, tasks, preservation }: ArchiveFixture): Promise<void> {
  await archive.resumeUploads()
  await repairs.resume(never)
  for (const { task, state } of preservation.checks()) {
    if (state !== 'INTERRUPTED') continue
    await tasks.resume(task)
    await preservation.ended(task)
  }
}
