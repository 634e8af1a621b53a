/** The store of the backups: their status, the list, and the request in progress. Kept as long as the window is open, so that a backup in
 *  progress is still shown when the user returns. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BackupMade, BackupProgress, BackupRow, BackupStatus } from '../../src-main/contract/services/backups.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'

/** The pending request of this window; `name` null means all backups. */
export type BackupAsked = { is: 'make' } | { is: 'verify'; name: string | null }

/** Result of the last request. */
export type BackupOutcome =
  | { is: 'made'; made: BackupMade }
  | { is: 'verified'; rows: BackupRow[] }
  | { is: 'refused'; asked: BackupAsked; fault: Fault }

export interface BackupsState {
  status: Loaded<BackupStatus>
  /** Newest first. */
  rows: Loaded<BackupRow[]>
  /** Progress of the current work, including that of the schedule. */
  running: BackupProgress | null
  asked: BackupAsked | null
  outcome: BackupOutcome | null
  load(): Promise<void>
  make(): Promise<void>
  /** Verifies one backup, or all of them when null. */
  verify(name: string | null): Promise<void>
}

type Asked = Pick<Loupe['backups'], 'status' | 'list' | 'make' | 'verify' | 'changed'>

export function makeBackups({ backups }: { backups: Asked }): StoreApi<BackupsState> {
  const asking = newestAnswer()
  const store = createStore<BackupsState>()((set, get) => {
    async function order(asked: BackupAsked, act: () => Promise<BackupOutcome>): Promise<void> {
      // A second click must not send a second request.
      if (get().asked) return
      set({ asked, outcome: null })
      const outcome = await act().catch((error: unknown): BackupOutcome => ({
        is: 'refused',
        asked,
        fault: faultFrom(error),
      }))
      set({ asked: null, outcome })
      await get().load()
    }

    return {
      status: loading,
      rows: loading,
      running: null,
      asked: null,
      outcome: null,
      load: async () => {
        const isNews = asking()
        const [status, rows] = await Promise.all([loadedFrom(backups.status({})), loadedFrom(backups.list({}))])
        if (isNews()) set({ status, rows, running: status.is === 'ready' ? status.value.running : get().running })
      },
      make: () => order({ is: 'make' }, async () => ({ is: 'made', made: await backups.make({}) })),
      verify: (name) =>
        order({ is: 'verify', name }, async () => {
          const rows = await backups.verify(name === null ? {} : { name })
          return { is: 'verified', rows }
        }),
    }
  })
  backups.changed(({ running }) => {
    const wasRunning = store.getState().running !== null
    store.setState({ running })
    if (wasRunning && running === null) void store.getState().load()
  })
  return store
}
