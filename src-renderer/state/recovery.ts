/** The recovery of files that are not in the database: the running one, or the last since the engine started. Kept as long as the window is
 *  open, and loaded again after a lost connection. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RecoverySummary } from '../../src-main/contract/services/recovery.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

export interface RecoveryState {
  /** Null when there was none since the engine started. */
  summary: RecoverySummary | null
  /** A request to start or stop has not been answered yet. */
  asking: boolean
  refusal: Fault | null
  load(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

type Asked = Pick<Loupe['archive'], 'recover' | 'recovery' | 'stopRecovery' | 'recoveryChanged'>

export function makeRecovery({ archive }: { archive: Asked }): StoreApi<RecoveryState> {
  const store = createStore<RecoveryState>()((set, get) => {
    async function order(act: () => Promise<RecoverySummary | null>): Promise<void> {
      // A second click must not send a second request.
      if (get().asking) return
      set({ asking: true, refusal: null })
      try {
        const heard = await act()
        set({ summary: newerOf(get().summary, heard) })
      } catch (error) {
        set({ refusal: faultFrom(error) })
      } finally {
        set({ asking: false })
      }
    }

    return {
      summary: null,
      asking: false,
      refusal: null,
      load: () => order(() => archive.recovery({})),
      start: () => order(() => archive.recover({})),
      stop: () => order(() => archive.stopRecovery({})),
    }
  })
  archive.recoveryChanged((summary) => store.setState({ summary: newerOf(store.getState().summary, summary) }))
  return store
}

/** An answer may arrive after an event that was sent later. */
function newerOf(known: RecoverySummary | null, heard: RecoverySummary | null): RecoverySummary | null {
  if (known === null || heard === null) return heard ?? known
  const isOverdue = known.started > heard.started || (known.started === heard.started && known.ended !== null)
  return isOverdue && heard.ended === null ? known : heard
}
