/** The status of the archive as screens see it. */
import type { StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { ArchiveStatus } from '../../src-main/contract/services/archiveStatus.ts'
import type { CheckRequest, CheckSummary, PreservationFinding } from '../../src-main/contract/services/checks.ts'
import type { ReplicaEvent, ReplicaState } from '../../src-main/contract/services/replicas.ts'
import type { SpotCheckSummary } from '../../src-main/contract/services/votes.ts'
import { valueOf, type Loaded } from './loaded.ts'
import type { ProgressSample } from './pace.ts'

/** `asking`: all replicas are being asked. */
export type SpotAsked =
  | { is: 'none' }
  | { is: 'asking'; files: number }
  | { is: 'ready'; value: SpotCheckSummary }
  | { is: 'refused'; fault: Fault }

export interface ArchiveState {
  status: Loaded<ArchiveStatus>
  replicas: Loaded<ReplicaState[]>
  /** Events of each replica, oldest first. */
  history: Loaded<ReadonlyMap<string, readonly ReplicaEvent[]>>
  /** Newest first. */
  checks: Loaded<CheckSummary[]>
  /** Observed progress of each running check. */
  samples: Readonly<Record<number, ProgressSample[]>>
  /** The check whose findings are shown; null: the newest. */
  chosen: number | null
  findings: Loaded<PreservationFinding[]>
  spot: SpotAsked
  /** A request to start, stop, pause or resume a check has not been answered yet. */
  asking: boolean
  refusal: Fault | null
  /** Counts up whenever the files may have changed. */
  revision: number
  load(): Promise<void>
  /** Loads the status when no change of the files is known. */
  look(): Promise<void>
  choose(check: number): Promise<void>
  /** Resolves with the check that was started; undefined when it was refused. */
  check(what: CheckRequest): Promise<CheckSummary | undefined>
  stop(check: number): Promise<void>
  pause(check: number): Promise<void>
  resume(check: number): Promise<void>
  spotCheck(files: number): Promise<void>
  /** Clears a fault that was read, or that belongs to another request. */
  forgetRefusal(): void
}

export type ArchiveStore = StoreApi<ArchiveState>

export type ArchiveCalls = Pick<
  Loupe['archive'],
  'status' | 'history' | 'checks' | 'check' | 'spotCheck' | 'findings' | 'changed'
>

export interface ArchiveServices {
  archive: ArchiveCalls
  tasks: Pick<Loupe['tasks'], 'stop' | 'pause' | 'resume' | 'changed'>
}

/** The check whose findings are shown. Undefined when the chosen one is older than the list of the engine; another must not be shown in its
 *  place. */
export function shownCheck({ checks, chosen }: Pick<ArchiveState, 'checks' | 'chosen'>): CheckSummary | undefined {
  const known = valueOf(checks) ?? []
  return chosen === null ? known[0] : known.find(({ task }) => task === chosen)
}
