/** The crawl engine in a thread of its own, so that fetching and link extraction never delay an answer to a user. It opens its
 *  own connection to the database and communicates through it; its reports are only hints to look there. */
import { dirname } from 'node:path'
import { openArchive } from '../archive/store/archive.ts'
import type { ReplicaPlace } from '../archive/replica/replica.ts'
import type { LoopState } from '../contract/services/monitoring.ts'
import type { FaultCode } from '../contract/calls/faults.ts'
import { engineStore } from '../storage/engineStore.ts'
import { openStore, StorageFault, type StoreUser } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import type { CrawlSettings } from './model/limits.ts'
import { openCredentials } from './capture/login/credentials.ts'
import { memoryShares } from './model/memory.ts'
import { jobLogOf } from './model/jobLog.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { SequenceMark } from './ownership/sequenceMark.ts'
import { engineDisk } from './ownership/engineDisk.ts'
import { settleOwnership, type OwnershipSetting } from './ownership/settleOwnership.ts'
import { archiveIndexClient } from './dedup/indexClient.ts'
import { supervise } from './supervisor.ts'

/** What the engine is started with, as it is sent to its thread. */
export interface CrawlInput {
  databasePath: string
  /** User that the audit log names; absent in tests. */
  user?: StoreUser | undefined
  /** `<archive>/jobs`. */
  folder: string
  /** `<archive>/incoming`, for files that a browser uploads for an import. */
  incomingFolder: string
  /** `<archive>/quarantine`, for files in folders of jobs that the database does not know. */
  quarantineFolder: string
  replicas: ReplicaPlace[]
  settings: CrawlSettings
  /** Name and version of this software, as the records state it. */
  software: string
  /** Key for credentials that a shell seals: 32 bytes, base64. */
  sealingKey?: string
}

/** A report of the engine to the thread that started it. */
export type CrawlReport =
  /** A message about files that the database does not know. The engine continues. */
  | { kind: 'found'; message: Message }
  /** The ownership of all files is settled: from now on jobs may be created. */
  | { kind: 'settled' }
  /** Interrupted uploads have been resumed: from now on other threads may store files. */
  | { kind: 'recovered' }
  /** A run has asked for a deduplication index. */
  | { kind: 'indexAsked' }
  /** The state, the progress or the log of a job changed. */
  | { kind: 'changed'; job: number }
  /** Files of an import made progress; `files` are their ids. */
  | { kind: 'imported'; job: number; files: number[] }
  /** The loops of the engine, every few seconds. */
  | { kind: 'loops'; loops: LoopState[] }
  /** No job has run for a while. */
  | { kind: 'resting' }
  /** An error. `job` is the job that cannot continue; null for an error of a loop or of the whole engine. */
  | { kind: 'problem'; message: Message; code: FaultCode; job: number | null }

/** `replaced`: another engine works on the archive now. */
export type CrawlEnd = 'closed' | 'replaced'

/** Runs the engine until the signal is aborted or another engine has taken the archive over. Rejects with an error that no job could be
 *  blamed for; `runCrawl` then starts it again. */
export async function task(
  { world: given, report, signal: closed }: TaskContext<CrawlReport>,
  input: CrawlInput,
): Promise<CrawlEnd> {
  const { cacheBytes } = memoryShares(input.settings.memoryBytesMax)
  const database = openStore(input.databasePath, { cacheBytes, user: input.user })
  const replaced = new AbortController()
  const signal = AbortSignal.any([closed, replaced.signal])
  try {
    const engine = given.chance.uuid()
    const { store, isNamed } = engineStore(database, { engine, onReplaced: () => replaced.abort() })
    const world = { ...given, disk: engineDisk(given.disk, isNamed) }
    // Only this archive stores files: interrupted uploads are resumed before anything else is stored.
    const archive = await openArchive({ store, world, replicas: input.replicas })
    const sequenceMark = await settleOwnFiles({ store, world, archive, signal, report }, input)
    await archive.resumeUploads({ signal })
    report({ kind: 'recovered' })
    await supervise({
      store,
      world,
      archive,
      folder: input.folder,
      incomingFolder: input.incomingFolder,
      quarantineFolder: input.quarantineFolder,
      sequenceMark,
      settings: input.settings,
      credentials: openCredentials({
        store,
        world,
        folder: dirname(input.databasePath),
        sealingKey: input.sealingKey,
      }),
      indexClient:
        input.settings.deduplicationIndex === 'archive'
          ? archiveIndexClient({ store, world }, () => report({ kind: 'indexAsked' }))
          : undefined,
      software: input.software,
      signal,
      onChanged: (job) => report({ kind: 'changed', job }),
      onImported: (job, files) => report({ kind: 'imported', job, files }),
      onLoops: (loops) => report({ kind: 'loops', loops }),
      onRest: () => report({ kind: 'resting' }),
      // What fails because the engine was replaced is one problem, reported at the end.
      onProblem: (problem) => !replaced.signal.aborted && report({ kind: 'problem', ...problem }),
    })
  } catch (error) {
    // Closed while uploads were being resumed: the next start resumes them again.
    const isEnd = error === signal.reason || (error instanceof StorageFault && error.code === 'replaced')
    if (!signal.aborted || !isEnd) throw error
  } finally {
    database.close()
  }
  if (!replaced.signal.aborted) return 'closed'
  report({ kind: 'problem', message: message('database.replaced'), code: 'inUse', job: null })
  return 'replaced'
}

async function settleOwnFiles(
  setting: Pick<OwnershipSetting, 'store' | 'world' | 'archive' | 'signal'> & Pick<TaskContext<CrawlReport>, 'report'>,
  { folder, quarantineFolder }: CrawlInput,
): Promise<SequenceMark> {
  const { store, world, report } = setting
  const jobLog = jobLogOf(store)
  const log = (job: number | null, found: Message) => {
    if (job !== null) jobLog.add({ job, nowMs: world.clock.now(), level: 'warning', message: found })
    report({ kind: 'found', message: found })
  }
  const mark = await settleOwnership({ ...setting, folder, quarantineFolder, log })
  report({ kind: 'settled' })
  return mark
}
