/** Repairs and the attic: which copies can be repaired, the running and ended repairs, and the copies that were replaced. The steps of one
 *  repair are in `repairFlow.ts`. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AtticEntry, AtticCheck } from '../../src-main/contract/services/attic.ts'
import type { RepairableCopy, RepairOutcome } from '../../src-main/contract/services/repairs.ts'
import { isEndedRepair, type EndedRepairState } from '../../src-main/contract/states/repairStates.ts'
import { isCheckKind } from '../../src-main/contract/shapes/taskKinds.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { newsOfChecks } from './checks.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'
import { throttled } from './throttled.ts'
import { userMessageOf } from '../../src-main/contract/calls/faults.ts'
import { translate } from '../words/language.ts'

const reloadIntervalMs = 1_000

export interface WhichCopy {
  name: string
  replica: string
}

/** Missing copies that are restored one after the other. */
export interface RestoreRow {
  copies: readonly RepairableCopy[]
  /** Outcomes of the repairs that were processed, in the same order. */
  ended: readonly RestoreEnd[]
  /** `stopping`: the current repair is finished, the others are not started. */
  state: 'running' | 'stopping' | 'stopped' | 'done'
}

export interface RestoreEnd extends WhichCopy {
  state: EndedRepairState
  text: string
}

export interface RepairsState {
  repairable: Loaded<RepairableCopy[]>
  /** Running or last repair of each copy, by `copyKey`. */
  outcomes: ReadonlyMap<string, RepairOutcome>
  attic: Loaded<AtticEntry[]>
  /** Keys are numbers of attic entries. */
  looks: ReadonlyMap<number, AtticCheck>
  /** The running row, or the last one. */
  row: RestoreRow | null
  load(): Promise<void>
  /** Checks that the content of each entry is still present. Accesses the drives, so only the screen of the attic requests it. */
  checkPresence(): Promise<void>
  /** Reads the bytes of an entry; resolves when the event has arrived. */
  readEntry(id: number): Promise<void>
  /** Repairs each copy with all conditions, and with its registered checksum as the expected one. No effect while a row runs. */
  restoreRow(copies: readonly RepairableCopy[]): Promise<void>
  stopRow(): void
  take(outcome: RepairOutcome): void
}

export type RepairsStore = StoreApi<RepairsState>
export interface RepairsServices {
  archive: Pick<
    Loupe['archive'],
    'repairable' | 'repairs' | 'repair' | 'repairChanged' | 'attic' | 'checkAttic' | 'changed'
  >
  tasks: Pick<Loupe['tasks'], 'changed'>
}

export function makeRepairs({ archive, tasks }: RepairsServices): RepairsStore {
  const ask = newestAnswer()
  const newestChecks = newestAnswer()
  let questions = 0
  /** For each copy, the number of requests sent when its repair was last reported. Answers to these requests may be older. */
  const reportedAt = new Map<string, number>()
  const store = createStore<RepairsState>()((set, get) => ({
    repairable: loading,
    outcomes: new Map(),
    attic: loading,
    looks: new Map(),
    row: null,
    load: async () => {
      const isNews = ask()
      questions += 1
      const question = questions
      const isReportedSince = (key: string) => (reportedAt.get(key) ?? 0) >= question
      const [repairable, repairs, attic] = await Promise.all([
        loadedFrom(archive.repairable({})),
        loadedFrom(archive.repairs({})),
        loadedFrom(archive.attic({})),
      ])
      if (!isNews()) return
      set({
        repairable,
        attic,
        ...(repairs.is === 'ready' ? { outcomes: withReported(get(), repairs.value, isReportedSince) } : {}),
      })
    },
    checkPresence: async () => {
      const isNewest = newestChecks()
      const looks = await loadedFrom(archive.checkAttic({}))
      if (isNewest() && looks.is === 'ready') set({ looks: withPresence(get().looks, looks.value) })
    },
    readEntry: async (id) => {
      const look = await loadedFrom(archive.checkAttic({ id }))
      const [seen] =
        look.is === 'ready'
          ? look.value
          : look.is === 'refused'
            ? [{ id, ...unknown, message: userMessageOf(look.fault) }]
            : []
      if (seen) set({ looks: new Map(get().looks).set(id, seen) })
    },
    restoreRow: async (copies) => {
      if (isUnderWay(get().row)) return
      set({ row: { copies, ended: [], state: 'running' } })
      for (const copy of copies) {
        if (get().row?.state === 'stopping') break
        const { isReached, ...end } = await restored(copy)
        set(({ row }) => ({ row: row && { ...row, ended: [...row.ended, end] } }))
        // Without a connection to the engine the others cannot be tried: they stay, and do not count as failed.
        if (!isReached) break
      }
      // Loaded before the end is shown, so that restored copies are no longer listed.
      await get().load()
      set(({ row }) => ({ row: row && { ...row, state: row.ended.length < copies.length ? 'stopped' : 'done' } }))
    },
    stopRow: () => set(({ row }) => ({ row: row?.state === 'running' ? { ...row, state: 'stopping' } : row })),
    take: (outcome) => {
      reportedAt.set(copyKey(outcome), questions)
      set({ outcomes: new Map(get().outcomes).set(copyKey(outcome), latest(get(), outcome)) })
    },
  }))

  /** The user has confirmed nothing about an existing copy, so if there is one it is left alone. */
  async function restored({ name, replica, registered }: RepairableCopy): Promise<RestoreEnd & { isReached: boolean }> {
    try {
      const outcome = await archive.repair({ name, replica, expected: registered, found: null })
      store.getState().take(outcome)
      // The call waits for the end of the repair.
      const state = isEndedRepair(outcome.state) ? outcome.state : 'FAILED'
      return { name, replica, state, text: translate(outcome.message), isReached: true }
    } catch (error) {
      const { code, message } = faultFrom(error)
      return { name, replica, state: 'FAILED', text: message, isReached: code !== 'unreachable' }
    }
  }

  const reload = throttled(() => void store.getState().load(), reloadIntervalMs)
  archive.changed(reload)
  // Findings of a check can be repaired at once.
  const isNews = newsOfChecks()
  tasks.changed((task) => (isCheckKind(task.kind) && isNews(task) ? reload() : undefined))
  archive.repairChanged((outcome) => {
    store.getState().take(outcome)
    if (!isRepairing(outcome)) reload()
  })
  return store
}

/** A restarted engine knows no earlier repairs: ended ones are kept here, running ones are dropped. */
function withReported(
  state: Pick<RepairsState, 'outcomes'>,
  reported: readonly RepairOutcome[],
  isReportedSince: (key: string) => boolean,
): Map<string, RepairOutcome> {
  const kept = [...state.outcomes].filter(([key, { ended }]) => ended !== null || isReportedSince(key))
  return new Map([...kept, ...reported.map((outcome) => [copyKey(outcome), latest(state, outcome)] as const)])
}

/** Answers and events arrive independently, so a report from before the end may arrive after it. */
function latest({ outcomes }: Pick<RepairsState, 'outcomes'>, reported: RepairOutcome): RepairOutcome {
  const known = outcomes.get(copyKey(reported))
  if (!known) return reported
  const isOld = known.begun > reported.begun
  const isBeforeItsEnd = known.begun === reported.begun && known.ended !== null && reported.ended === null
  return isOld || isBeforeItsEnd ? known : reported
}

const unknown = { state: 'unknown' as const }

/** A presence check does not replace the result of a verification unless it contradicts it. */
function withPresence(known: ReadonlyMap<number, AtticCheck>, found: readonly AtticCheck[]): Map<number, AtticCheck> {
  return new Map(
    found.map((checkPresence) => {
      const before = known.get(checkPresence.id)
      const wasRead = before?.state === 'right' || before?.state === 'changed'
      return [checkPresence.id, checkPresence.state === 'there' && before && wasRead ? before : checkPresence]
    }),
  )
}

export function copyKey({ name, replica }: WhichCopy): string {
  return `${replica}\n${name}`
}

/** Whether the copy is being repaired now; false without a repair. */
export function isRepairing(outcome: RepairOutcome | undefined): boolean {
  return outcome !== undefined && !isEndedRepair(outcome.state)
}

export function isUnderWay(row: RestoreRow | null): boolean {
  return row?.state === 'running' || row?.state === 'stopping'
}

/** Repairs that moved a copy away without bringing the good one, because of a kill or a failure. Newest first. */
export function unfinished(
  attic: readonly AtticEntry[],
  outcomes: ReadonlyMap<string, RepairOutcome>,
): readonly AtticEntry[] {
  return attic.filter(
    (entry) => (entry.state === 'open' || entry.replaced === null) && !isRepairing(outcomes.get(copyKey(entry))),
  )
}
