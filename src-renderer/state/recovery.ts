/** The recovery of files that the database does not know: the one that runs, or the last since the engine started. Kept for as long as
 *  the window is open, and asked for again when a link was broken. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RecoverySummary } from '../../src-main/contract/services/recovery.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

export interface RecoveryState {
  /** Null: none since the engine started. */
  summary: RecoverySummary | null
  /** It is to be begun or stopped, and the engine has not answered. */
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
      // A second press of a button is no second order.
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

/** An answer may come after an event that was sent later. */
function newerOf(known: RecoverySummary | null, heard: RecoverySummary | null): RecoverySummary | null {
  if (known === null || heard === null) return heard ?? known
  const isOverdue = known.started > heard.started || (known.started === heard.started && known.ended !== null)
  return isOverdue && heard.ended === null ? known : heard
}
