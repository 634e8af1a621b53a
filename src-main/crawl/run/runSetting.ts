/** Setting of a job's run, and the ways in which a segment of it can end. A segment is the time between the start or
 *  resumption of a job and its next pause, stop or end; a run has one or more of them. */
import type { Message } from '../../contract/words/message.ts'
import type { Log } from '../model/jobLog.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import type { SharedOutputs } from '../capture/connectors/sharedOutput.ts'
import type { Credentials } from '../capture/login/credentials.ts'
import type { LinkWork } from '../capture/fetch/bodyLinks.ts'
import type { RecordWork } from '../capture/records/recordMembers.ts'
import type { Originals } from '../capture/originals/originals.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import type { NamedConnections } from '../connections/namedConnections.ts'
import type { ConnectionUses } from '../frontier/connectionUse.ts'
import type { Queue } from '../frontier/queue.ts'
import type { CrawlSettings } from '../model/limits.ts'
import type { Memory } from '../model/memory.ts'
import type { RunTime } from './runTime.ts'

/** The limit of the definition that ended a run. */
export type LimitReached = 'OBJECT_LIMIT' | 'SIZE_LIMIT' | 'TIME_LIMIT' | 'NO_RESPONSE' | 'INACTIVE'
/** `stopped`: paused, stopped or ended by a fault. `renewed`: the definition was changed, and the job continues with the new
 *  one. */
export type RunEnd = LimitReached | 'DOWNLOAD_COMPLETE' | 'stopped' | 'renewed'

/** Parameters of one segment. */
export interface RunSetting extends FileSetting {
  archive: Pick<Archive, 'openFile'>
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
  queue: Queue
  /** 1 is the highest, 10 the lowest. */
  priority: number
  definition: HarvestDefinition
  /** The connections that the definition names. */
  connections: NamedConnections
  /** The uses of connections by all jobs. */
  shared: { repositories: ConnectionUses; outputs: SharedOutputs }
  settings: CrawlSettings
  memory: Memory
  bodies: LinkWork & RecordWork
  credentials: Pick<Credentials, 'secretOf'>
  /** Captures of the jobs that this one continues. The caller closes them. */
  originals: Originals
  /** Amount that this run fetched in earlier segments. */
  before: { fetched: number; bytes: number }
  /** Counts the working time of the whole run. The caller ends it. */
  runTime: Pick<RunTime, 'elapsedMs' | 'note'>
  /** False only in the first segment of the first run. Otherwise hosts may have been contacted moments ago and must get their
   *  delay. */
  isContinued: boolean
  /** Aborted when a user pauses or stops the job. */
  signal: AbortSignal
  /** Tells whether the definition was changed since this segment began. */
  isOutdated(): boolean
  onProgress(): void
  /** Stops the job for this reason: the definition does not let it continue after a fault. */
  giveUp(why: Message): void
  log: Log
}
