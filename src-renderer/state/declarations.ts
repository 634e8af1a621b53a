/**
 * NDSA conditions that the institution declares as met, because Loupe cannot check them: the setting `preservation.declared`. The report
 * screen changes them one by one. Each change is saved at once, and the report is created again after the last of them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'
import type { ReportState } from './report.ts'
import type { SettingsState } from './settings.ts'

const path = 'preservation.declared'

export interface DeclarationsState {
  /** By condition: the value that is being saved, until a report shows it. */
  saving: Readonly<Record<string, boolean>>
  /** By condition: why its last change was not saved. */
  faults: Readonly<Record<string, Fault>>
  /** Resolves when the change is saved, or its fault is in `faults`. */
  declare(condition: string, isDeclared: boolean): Promise<void>
}

interface Stores {
  settings: Pick<StoreApi<SettingsState>, 'getState'>
  report: Pick<StoreApi<ReportState>, 'getState'>
}

export function makeDeclarations({ settings, report }: Stores): StoreApi<DeclarationsState> {
  return createStore<DeclarationsState>()((set, get) => {
    // The setting is a list that is saved whole: two changes at the same time would lose one of them.
    let queue = Promise.resolve()
    let queued = 0

    async function save(condition: string, isDeclared: boolean): Promise<void> {
      try {
        const others = (await declaredNow()).filter((one) => one !== condition)
        await settings.getState().set(path, isDeclared ? [...others, condition] : others)
      } catch (error) {
        set({ saving: without(get().saving, condition), faults: { ...get().faults, [condition]: faultFrom(error) } })
      }
      queued -= 1
      if (queued > 0) return
      const saved = get().saving
      if (Object.keys(saved).length === 0) return
      await report.getState().make()
      // A condition that was changed again in the meantime waits for the next report.
      const changed = Object.entries(get().saving).filter(([one, value]) => saved[one] !== value)
      set({ saving: queued > 0 ? get().saving : Object.fromEntries(changed) })
    }

    /** Loaded for each change: another window or the command line may have changed the setting. */
    async function declaredNow(): Promise<string[]> {
      await settings.getState().load()
      const loaded = settings.getState().settings
      if (loaded.is === 'refused') throw loaded.fault
      const value = loaded.is === 'ready' ? loaded.value.find((row) => row.path === path)?.value : undefined
      return Array.isArray(value) ? value.map(String) : []
    }

    return {
      saving: {},
      faults: {},
      declare: (condition, isDeclared) => {
        queued += 1
        set({
          saving: { ...get().saving, [condition]: isDeclared },
          faults: without(get().faults, condition),
        })
        queue = queue.then(() => save(condition, isDeclared))
        return queue
      },
    }
  })
}

function without<Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
}
