/** The crawl engine in a thread of its own, so that fetching and link extraction never delay an answer to a user. It opens its
 *  own connection to the database and communicates through it; its reports are only hints to look there. */
import { dirname } from 'node:path'
import { openArchive } from '../archive/store/archive.ts'
import type { ReplicaPlace } from '../archive/replica/replica.ts'
import type { FaultCode } from '../contract/calls/faults.ts'
import { openStore, type StoreUser } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import type { CrawlSettings } from './model/limits.ts'
import { openCredentials } from './capture/login/credentials.ts'
import { memoryShares } from './model/memory.ts'
import { jobLogOf } from './model/jobLog.ts'
import type { Message } from '../contract/words/message.ts'
import type { SequenceMark } from './ownership/sequenceMark.ts'
import { settleOwnership, type OwnershipSetting } from './ownership/settleOwnership.ts'
import { supervise } from './supervisor.ts'

export interface CrawlInput {
  databasePath: string
  /** Whom the audit log names. */
  user?: StoreUser | undefined
  /** `<archive>/jobs`. */
  folder: string
  /** `<archive>/incoming`: where files lie that a browser handed over to be imported. */
  incomingFolder: string
  /** `<archive>/quarantine`: where files of jobs go that the database does not know. */
  quarantineFolder: string
  replicas: ReplicaPlace[]
  settings: CrawlSettings
  software: string
  /** Key for credentials that a shell seals: 32 bytes, base64. */
  sealingKey?: string
}

export type CrawlReport =
  /** What was found of files that the database does not know: nothing stops for it. */
  | { kind: 'found'; message: Message }
  /** It is known which files are this database's own: jobs may be created now. */
  | { kind: 'settled' }
  /** What a kill interrupted was taken up: others may store now. */
  | { kind: 'recovered' }
  | { kind: 'changed'; job: number }
  /** Files of an import moved on. */
  | { kind: 'imported'; job: number; files: number[] }
  /** `job`: the one that cannot go on; null when none can. */
  | { kind: 'problem'; message: Message; code: FaultCode; job: number | null }

export async function task({ world, report, signal }: TaskContext<CrawlReport>, input: CrawlInput): Promise<void> {
  const { cacheBytes } = memoryShares(input.settings.memoryBytesMax)
  const store = openStore(input.databasePath, { cacheBytes, user: input.user })
  try {
    // The one archive that stores: what a kill interrupted is taken up before anything new.
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
      software: input.software,
      signal,
      onChanged: (job) => report({ kind: 'changed', job }),
      onImported: (job, files) => report({ kind: 'imported', job, files }),
      onProblem: (problem) => report({ kind: 'problem', ...problem }),
    })
  } catch (error) {
    // Closed while uploads were being taken up: the next start takes them up again.
    if (!signal.aborted || error !== signal.reason) throw error
  } finally {
    store.close()
  }
}

async function settleOwnFiles(
  setting: Pick<OwnershipSetting, 'store' | 'world' | 'archive' | 'signal'> & Pick<TaskContext<CrawlReport>, 'report'>,
  { folder, quarantineFolder }: CrawlInput,
): Promise<SequenceMark> {
  const { store, world, report } = setting
  const jobLog = jobLogOf(store)
  const log = (job: number | null, message: Message) => {
    if (job !== null) jobLog.add({ job, nowMs: world.clock.now(), level: 'warning', message })
    report({ kind: 'found', message })
  }
  const mark = await settleOwnership({ ...setting, folder, quarantineFolder, log })
  report({ kind: 'settled' })
  return mark
}
