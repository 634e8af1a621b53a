/** The settings of the archive, and how to change one. The engine knows their meanings and validates them. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Setting, SettingLevel } from '../../src-main/contract/services/settings.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'

export interface SettingsState {
  settings: Loaded<Setting[]>
  load(): Promise<void>
  /** Throws the engine's `Fault` when the value is refused. */
  set(path: string, value: unknown, level?: SettingLevel): Promise<void>
}

export function makeSettings({ settings }: { settings: Loupe['settings'] }): StoreApi<SettingsState> {
  return createStore<SettingsState>()((set, get) => ({
    settings: loading,
    load: async () => set({ settings: await loadedFrom(settings.list({})) }),
    set: async (path, value, level = 'archive') => {
      const changed = await settings.set({ path, value, level })
      const known = get().settings
      if (known.is === 'ready') {
        set({ settings: { is: 'ready', value: known.value.map((one) => (one.path === path ? changed : one)) } })
      }
    },
  }))
}

/** Rows grouped by the first word of their path, in the order of the engine. */
export function grouped(settings: readonly Setting[]): [group: string, rows: Setting[]][] {
  const groups = new Map<string, Setting[]>()
  for (const setting of settings) {
    const [group = setting.path] = setting.path.split('.')
    groups.set(group, [...(groups.get(group) ?? []), setting])
  }
  return [...groups]
}
