/** The steps of repairing one copy: which step is shown, what was inspected, and the user's input. The decisions are the engine's
 *  (`repairs.ts`). */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AffectedFile } from '../../src-main/contract/services/archivedFiles.ts'
import type { RepairOutcome, RepairPlan } from '../../src-main/contract/services/repairs.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { copyKey, isRepairing, type RepairsStore, type WhichCopy } from './repairs.ts'

export const repairSteps = ['look', 'expected', 'conditions', 'outcome'] as const
export type RepairStep = (typeof repairSteps)[number]

export interface RepairFlowState {
  step: RepairStep
  plan: Loaded<RepairPlan>
  /** Captures that would be lost with the file. Slow to look up, so the steps do not wait for it. */
  affected: Loaded<AffectedFile>
  /** The repair of this copy, also when it was started elsewhere. */
  outcome: RepairOutcome | undefined
  /** This window has requested the repair, and its outcome has not arrived. */
  asked: boolean
  /** The last checksum that was entered and was not the expected one. */
  refused: string | null
  /** The fault if the request for the repair failed. */
  fault: Fault | null
  /** Reads every copy again and returns to the first step. */
  look(): Promise<void>
  /** Goes to a step that the user may choose: back to the first, or on to the second. */
  go(step: 'look' | 'expected'): void
  /** No effect while the copy is being repaired, by this window or another; nor when the copy cannot be read, unless the user allowed with
   *  `mayUnread` to set it aside all the same. */
  repair(expected: string, mayUnread?: boolean): Promise<void>
}

export interface RepairFlowServices {
  archive: Pick<Loupe['archive'], 'repairPlan' | 'affected' | 'repair'>
}

/** `open` inspects and follows the copy; `close` ends that, while the repair continues. */
export type RepairFlowStore = StoreApi<RepairFlowState> & { open(): void; close(): void }

export function makeRepairFlow(
  { archive }: RepairFlowServices,
  repairs: RepairsStore,
  { name, replica }: WhichCopy,
): RepairFlowStore {
  const key = copyKey({ name, replica })
  /** Only the last inspection counts. */
  let looks = 0

  const store = createStore<RepairFlowState>()((set, get) => ({
    step: 'look',
    plan: loading,
    affected: loading,
    outcome: repairs.getState().outcomes.get(key),
    asked: false,
    refused: null,
    fault: null,
    look: async () => {
      looks += 1
      const mine = looks
      set({ step: 'look', plan: loading, affected: loading, refused: null, fault: null })
      const plan = await loadedFrom(archive.repairPlan({ name, replica }))
      if (mine !== looks) return
      set({ plan })
      if (plan.is !== 'ready') return
      // Loaded after the inspection, which updates the votes.
      const affected = await loadedFrom(archive.affected({ name }))
      if (mine === looks) set({ affected })
    },
    go: (step) => {
      const { asked, outcome, plan } = get()
      if (asked || isRepairing(outcome)) return
      if (step === 'expected' && valueOf(plan)?.allowed !== true) return
      set({ step, refused: null, fault: null })
    },
    repair: async (expected, mayUnread = false) => {
      const { asked, outcome, plan } = get()
      const seen = valueOf(plan)
      if (asked || isRepairing(outcome) || !seen) return
      if (seen.unreadable !== null && !mayUnread) return
      const found = seen.unreadable === null ? seen.found : 'unreadable'
      set({ asked: true, refused: null, fault: null })
      try {
        const ended = await archive.repair({ name, replica, expected, found })
        set({ refused: isWrongChecksum(ended) ? expected : null })
        repairs.getState().take(ended)
        set({ asked: false })
      } catch (error) {
        set({ asked: false, fault: faultFrom(error) })
        // Another window may be repairing it, or the answer was lost.
        await repairs.getState().load()
      }
    },
  }))

  function follow(outcome: RepairOutcome | undefined): void {
    const { step, asked, outcome: before } = store.getState()
    if (outcome === before) return
    const next = nextStep(step, asked, before, outcome)
    store.setState({ outcome, step: next })
    // The engine was restarted and knows nothing of this repair, so the copy is inspected again.
    if (isRepairing(before) && !outcome) void store.getState().look()
  }

  let unfollow: (() => void) | undefined
  return Object.assign(store, {
    open: () => {
      unfollow ??= repairs.subscribe(({ outcomes }) => follow(outcomes.get(key)))
      const outcome = repairs.getState().outcomes.get(key)
      const isRunning = isRepairing(outcome)
      store.setState({ outcome, ...(isRunning ? { step: 'conditions' as const } : {}) })
      if (!isRunning) void store.getState().look()
    },
    close: () => {
      unfollow?.()
      unfollow = undefined
    },
  })
}

/** The step after an answer. A wrong checksum does not lead on: the second step stays until the checksum has been compared and is the
 *  expected one. */
function nextStep(
  step: RepairStep,
  asked: boolean,
  before: RepairOutcome | undefined,
  outcome: RepairOutcome | undefined,
): RepairStep {
  if (!outcome) return step
  if (isRepairing(outcome)) {
    if (!asked) return 'conditions'
    return outcome.conditions.length === 0 || isWrongChecksum(outcome) ? step : 'conditions'
  }
  if (step === 'expected' && isWrongChecksum(outcome)) return step
  const wasAtIt = asked || isRepairing(before)
  return step === 'conditions' || wasAtIt ? 'outcome' : step
}

function isWrongChecksum({ conditions }: RepairOutcome): boolean {
  return conditions.some(({ condition, state }) => condition === 'expected' && state === 'failed')
}
