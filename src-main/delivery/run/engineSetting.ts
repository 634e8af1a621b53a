/** What the parts of a running plan share. */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Processor } from '../model/steps.ts'
import type { GroupCommit } from '../status/groupCommit.ts'
import type { StatusWriter } from '../status/statusWriter.ts'
import type { InTime } from './inTime.ts'

/** The database and the steps of a running plan. */
export interface EngineSetting {
  store: Store
  clock: Clock
  writer: StatusWriter
  write: GroupCommit['write']
  inTime: InTime
  processorOf: (step: string) => Processor
  /** Called when documents may or may not have arrived, and are not sent again. */
  onUnknown(document: string, destination: string, count: number): void
  /** Called with bugs in what is not awaited: they end the run. */
  onBug(error: unknown): void
}
