/** Checks the text of a delivery plan while it is written, and keeps the last plan without faults, which can be drawn. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { CheckedPlan } from '../../src-main/contract/services/deliveries.ts'
import { faultFrom } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'

export interface PlanChecksState {
  /** The newest answer, with the text that it is about. */
  checked: (CheckedPlan & { toml: string }) | null
  /** The last plan without faults. */
  drawn: CheckedPlan['plan']
  /** Why the last text could not be checked. */
  fault: Fault | null
  check(toml: string): Promise<void>
}

export function makePlanChecks({
  deliveries,
}: {
  deliveries: Pick<Loupe['deliveries'], 'check'>
}): StoreApi<PlanChecksState> {
  const ask = newestAnswer()
  return createStore<PlanChecksState>()((set, get) => ({
    checked: null,
    drawn: null,
    fault: null,
    async check(toml) {
      const isNewest = ask()
      try {
        const checked = await deliveries.check({ toml })
        if (isNewest()) set({ checked: { ...checked, toml }, drawn: checked.plan ?? get().drawn, fault: null })
      } catch (error) {
        if (isNewest()) set({ fault: faultFrom(error) })
      }
    },
  }))
}
